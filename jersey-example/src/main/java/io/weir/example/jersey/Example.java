package io.weir.example.jersey;

import io.weir.Ticker;
import io.weir.guard.Weir;
import io.weir.guard.WeirBuilder;
import io.weir.load.SystemLoad;
import io.weir.policy.Site;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;

/** A running example. */
record Example(Weir weir, HttpServer server, URI uri) implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int FULL_LOAD = 1_000;

  /**
   * Starts Weir and the server.
   *
   * @param port where to listen, 0 for any free port
   * @param parts {@code Weir.builder()}, or what a test adds to it
   */
  static Example start(int port, WeirBuilder parts) throws IOException {
    PretendedLoad load = new PretendedLoad();
    Weir weir = parts.tierResolver(new PremiumTier()).loadSensor(load).build();
    load.reallyIs(new SystemLoad(Ticker.system(), weir.inFlight(), FULL_LOAD));
    weir.install(); // the aspect in SmsService finds the installed one
    try {
      // No adapter knows what is woven: checked here, it is in the table, and mistakes show at
      // once.
      weir.check(List.of(SmsService.class), Site.METHOD);
      HttpServer server = serve(port, new ExampleApplication(weir, load));
      int bound = server.getListeners().iterator().next().getPort();
      return new Example(weir, server, at(bound));
    } catch (IOException | RuntimeException failed) {
      weir.close();
      throw failed;
    }
  }

  private static HttpServer serve(int port, ExampleApplication application) throws IOException {
    HttpServer server = GrizzlyHttpServerFactory.createHttpServer(at(port), application, false);
    server.start();
    return server;
  }

  private static URI at(int port) {
    return URI.create("http://" + HOST + ":" + port + "/");
  }

  @Override
  public void close() {
    server.shutdownNow();
    weir.close();
  }
}
