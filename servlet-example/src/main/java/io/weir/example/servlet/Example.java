package io.weir.example.servlet;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.rules.Rules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;

/** A running example. */
record Example(Weir weir, Server server) implements AutoCloseable {
  static Example start(int port, WeirBuilder parts) throws IOException {
    return start(Host.DEFAULT, port, parts);
  }

  /**
   * Starts Weir and the server.
   *
   * @param host the address to listen on
   * @param port the port to listen on; 0 for any free port
   * @param parts {@code Weir.builder()}, to which a test may add parts
   */
  static Example start(String host, int port, WeirBuilder parts) throws IOException {
    InetAddress address = Host.loopback(host);
    PretendedLoad load = new PretendedLoad();
    Weir weir = parts.loadSensor(load::around).build();
    weir.install(); // the filters in web.xml and the aspect in SmsService find the installed one
    try {
      // Adapters don't know woven methods. Checking the class here adds it to the table and
      // reports mistakes at the start.
      weir.checkWoven(SmsService.class);
      Rules.of(weir).ifPresent(PlanRulesSeeder::addTo);
      return new Example(weir, Server.start(address, port, load));
    } catch (IOException | RuntimeException failed) {
      weir.close();
      throw failed;
    }
  }

  URI uri() {
    return server.uri();
  }

  @Override
  public void close() {
    server.close();
    weir.close();
  }
}
