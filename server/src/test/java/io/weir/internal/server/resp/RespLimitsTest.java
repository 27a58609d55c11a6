package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.listener.Protocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The limits of connections, and where the listener's settings go. */
class RespLimitsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String FULL = "-ERR max number of clients reached";

  @Test
  void theDefaultsAreThoseOfTheDocumentation() {
    assertEquals(
        new RespLimits(
            10_000,
            1_000,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5)),
        RespLimits.DEFAULT);
  }

  @Test
  void eachLimitIsReplacedAlone() {
    RespLimits all = new RespLimits(3, 2, SECOND, SECOND, SECOND, SECOND);
    assertEquals(all.withConnections(7), new RespLimits(7, 2, SECOND, SECOND, SECOND, SECOND));
    assertEquals(
        all.withAddressConnections(7), new RespLimits(3, 7, SECOND, SECOND, SECOND, SECOND));
  }

  @Test
  void aLimitOfNothingIsAMistake() {
    Duration none = Duration.ofNanos(999_999);
    RespLimits least =
        new RespLimits(
            1, 1, Duration.ofMillis(1), SECOND, SECOND, SECOND); // a millisecond is enough
    assertThrows(IllegalArgumentException.class, () -> least.withConnections(0));
    assertThrows(IllegalArgumentException.class, () -> least.withAddressConnections(0));
    for (int at = 0; at < 4; at++) {
      Duration[] times = {SECOND, SECOND, SECOND, SECOND};
      times[at] = none;
      assertThrows(
          IllegalArgumentException.class,
          () -> new RespLimits(1, 1, times[0], times[1], times[2], times[3]));
    }
  }

  @Test
  void theListenerAdmitsAsManyConnectionsAsItsSettingsSay() throws IOException {
    ListenerSettings settings =
        new ListenerSettings(Protocol.REDIS, "127.0.0.1", 0, true, 3, 2, SECOND);
    try (Listener listener =
        RespServer.builder(new NothingLimits(), new LateBuckets()).threads(1).listen(settings)) {
      int port = Integer.parseInt(listener.address().replaceFirst(".*:", ""));
      try (RespLine one = new RespLine(port);
          RespLine two = new RespLine(port)) {
        assertEquals("PONG", one.ask("PING"));
        assertEquals("PONG", two.ask("PING"));
        try (RespLine three = new RespLine(port)) {
          assertEquals(FULL, three.read(), "of one address");
        }
        try (Socket elsewhere = elsewhere(port)) {
          assertEquals('+', answer(elsewhere));
          try (Socket more = elsewhere(port)) {
            assertEquals('-', answer(more), "in all");
          }
        }
      }
    }
  }

  private static Socket elsewhere(int port) throws IOException {
    Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName("127.0.0.2"), 0);
    socket.setSoTimeout(120_000);
    return socket;
  }

  /** Returns the first byte of the answer to a PING. */
  private static int answer(Socket socket) throws IOException {
    socket.getOutputStream().write(RespLine.command("PING"));
    return socket.getInputStream().read();
  }
}
