package io.weir.internal.redis.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisAddressParser;
import io.weir.internal.redis.address.RedisSettings;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server may hang up on a connection that is idle, without a word. */
class IdleConnectionTest {
  private static final int SECONDS = 60;

  private final FakeTicker ticker = new FakeTicker();
  private final AtomicInteger pings = new AtomicInteger();
  private ServerSocket server;
  private RedisConnections connections;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve);
    thread.setDaemon(true);
    thread.start();
    RedisAddress address =
        RedisAddressParser.parse(URI.create("redis://127.0.0.1:" + server.getLocalPort()));
    connections =
        new RedisConnections(
            address,
            new RedisSettings(name -> name.equals("weir.store.timeout") ? "10s" : ""),
            ticker);
  }

  @AfterEach
  void close() throws IOException {
    connections.close();
    server.close();
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        answer(socket);
      } catch (IOException e) {
        // The other side has gone.
      }
    }
  }

  private void answer(Socket socket) throws IOException {
    byte[] command = new byte[1_000];
    int length = socket.getInputStream().read(command);
    while (length >= 0) {
      boolean isPing = new String(command, 0, length, US_ASCII).contains("PING");
      pings.addAndGet(isPing ? 1 : 0);
      socket.getOutputStream().write((isPing ? "+PONG\r\n" : ":7\r\n").getBytes(US_ASCII));
      length = socket.getInputStream().read(command);
    }
  }

  private Object call() throws Exception {
    byte[] any = "any".getBytes(US_ASCII);
    EvalCall call = new EvalCall(any, any, List.of(any), List.of());
    connections.send(0, List.of(call)).toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    return call.reply();
  }

  @Test
  void aConnectionIsTriedAfterThreeSecondsAndNotBefore() throws Exception {
    assertEquals(7L, call());
    ticker.advance(Duration.ofMillis(2_999));
    assertEquals(7L, call());
    assertEquals(0, pings.get());
    ticker.advance(Duration.ofSeconds(3));
    assertEquals(7L, call());
    assertEquals(1, pings.get());
    assertEquals(7L, call());
    assertEquals(1, pings.get(), "it has just worked");
  }
}
