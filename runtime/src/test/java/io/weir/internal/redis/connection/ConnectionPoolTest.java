package io.weir.internal.redis.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisAddressParser;
import io.weir.internal.redis.address.RedisSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {
  private static final int SECONDS = 60;

  /**
   * The answer of a Redis to a command whose first byte is damaged: an error for each of its lines.
   */
  private static final String OUT_OF_STEP =
      "-ERR unknown command '?3'\r\n-ERR unknown command '$7'\r\n";

  private final AtomicInteger accepted = new AtomicInteger();
  private ServerSocket server;
  private RedisConnections connections;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve);
    thread.setDaemon(true);
    thread.start();
    URI url = URI.create("redis://127.0.0.1:" + server.getLocalPort());
    RedisAddress address = RedisAddressParser.parse(url);
    connections =
        new RedisConnections(
            address, new RedisSettings(ConnectionPoolTest::setting), Ticker.system());
  }

  @AfterEach
  void close() throws IOException {
    connections.close();
    server.close();
  }

  private static String setting(String name) {
    return name.equals("weir.store.timeout") ? "10s" : "";
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        boolean first = accepted.incrementAndGet() == 1;
        answer(socket, first ? OUT_OF_STEP : ":7\r\n");
      } catch (IOException e) {
        // The other side has gone.
      }
    }
  }

  private static void answer(Socket socket, String reply) throws IOException {
    byte[] command = new byte[1_000];
    while (socket.getInputStream().read(command) >= 0) {
      socket.getOutputStream().write(reply.getBytes(US_ASCII));
    }
  }

  private EvalCall call() throws Exception {
    byte[] any = "any".getBytes(US_ASCII);
    EvalCall call = new EvalCall(any, any, List.of(any), List.of());
    connections.send(0, List.of(call)).toCompletableFuture().get(SECONDS, TimeUnit.SECONDS);
    return call;
  }

  @Test
  void aConnectionWhoseAnswersMayBeOutOfStepIsNotUsedAgain() throws Exception {
    assertTrue(call().hasFailedBy(FailureKind.OTHER));
    EvalCall second = call();
    assertEquals(7L, second.reply());
    assertEquals(2, accepted.get());
  }

  @Test
  void aConnectionThatWorksIsUsedAgain() throws Exception {
    assertTrue(call().hasFailedBy(FailureKind.OTHER));
    assertEquals(7L, call().reply());
    assertEquals(7L, call().reply());
    assertEquals(2, accepted.get());
  }
}
