package io.weir.example.jersey;

import io.weir.Ticker;
import io.weir.guard.Weir;
import io.weir.guard.WeirBuilder;
import io.weir.load.SystemLoad;
import io.weir.policy.Site;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/** A running example. */
record Example(Weir weir, Server server) implements AutoCloseable {
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
      return new Example(weir, Server.start(port, new ExampleApplication(weir, load)));
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
