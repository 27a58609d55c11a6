package io.weir.example.servlet;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.rules.Rules;
import java.io.IOException;
import java.net.URI;

/** A running example. */
record Example(Weir weir, Server server) implements AutoCloseable {
  /**
   * Starts Weir and the server.
   *
   * @param port where to listen, 0 for any free port
   * @param parts {@code Weir.builder()}, or what a test adds to it
   */
  static Example start(int port, WeirBuilder parts) throws IOException {
    PretendedLoad load = new PretendedLoad();
    Weir weir = parts.loadSensor(load::around).build();
    weir.install(); // the filters in web.xml and the aspect in SmsService find the installed one
    try {
      // No adapter knows what is woven: checked here, it is in the table, and mistakes show at
      // once.
      weir.check(SmsService.class);
      Rules.of(weir).ifPresent(PlanRules::putInto);
      return new Example(weir, Server.start(port, load));
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
