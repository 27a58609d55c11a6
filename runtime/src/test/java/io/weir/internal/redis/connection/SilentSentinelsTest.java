package io.weir.internal.redis.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Ticker;
import io.weir.internal.redis.address.HostAndPort;
import io.weir.internal.redis.address.Login;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The last master is used without sentinels only if it says itself that it is one. */
class SilentSentinelsTest {
  private static final HostAndPort SENTINEL = new HostAndPort("sentinel", 26_379);
  private static final String REFUSED = "-NOPERM this user has no permissions to run 'role'\r\n";
  private static final String MASTER = "*3\r\n$6\r\nmaster\r\n:0\r\n*0\r\n";
  private static final String REPLICA = "*1\r\n$5\r\nslave\r\n";

  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
  private final ConnectDeadlines deadlines = new ConnectDeadlines(watch, Ticker.system());
  private final ConnectionFactory factory =
      new ConnectionFactory(
          new SocketOpener(Optional.empty(), false, 60_000, 60_000, deadlines),
          deadlines,
          watch,
          Ticker.system(),
          60_000);
  private final SentinelTopology topology =
      new SentinelTopology(List.of(SENTINEL), "main", this::ask, Runnable::run);

  private ServerSocket server;
  private volatile boolean isSilent;
  private volatile String role = MASTER;

  @BeforeEach
  void serve() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::answer);
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void close() throws IOException {
    factory.close();
    watch.shutdownNow();
    server.close();
  }

  private void answer() {
    byte[] command = new byte[1_000];
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        while (socket.getInputStream().read(command) >= 0) {
          socket.getOutputStream().write(role.getBytes(US_ASCII));
        }
      } catch (IOException gone) {
        // The other side has gone.
      }
    }
  }

  private HostAndPort master() {
    return new HostAndPort("127.0.0.1", server.getLocalPort());
  }

  private @Nullable Object ask(HostAndPort sentinel, String[] words) {
    if (isSilent) {
      throw new ConnectionException(Failure.away("the sentinel is down"));
    }
    return List.of(
        "127.0.0.1".getBytes(US_ASCII), String.valueOf(server.getLocalPort()).getBytes(US_ASCII));
  }

  /** Asks a new connection for its role. */
  private void check() {
    Login nobody = new Login("", "");
    RedisConnection connection =
        factory.open(master(), nobody, 0, new ConnectLatency(Ticker.system().nanoTime()));
    try {
      factory.check(connection, topology);
    } finally {
      factory.drop(connection);
    }
  }

  @Test
  void aMasterThatMayNotSayItsRoleIsBelievedWhileSentinelsAnswer() {
    role = REFUSED;
    assertEquals(master(), topology.find(0));
    assertDoesNotThrow(this::check);
  }

  @Test
  void andNotWhileTheyAreSilent() {
    assertEquals(master(), topology.find(0));
    isSilent = true;
    topology.doubt();
    assertEquals(master(), topology.find(0));
    assertDoesNotThrow(this::check);
    role = REFUSED;
    ConnectionException refused = assertThrows(ConnectionException.class, this::check);
    assertEquals(FailureKind.NOPERM, refused.failure().trouble());
    isSilent = false;
    topology.doubt();
    assertEquals(master(), topology.find(0));
    assertDoesNotThrow(this::check, "they answer again");
  }

  @Test
  void aReplicaIsNeverUsed() {
    role = REPLICA;
    assertEquals(master(), topology.find(0));
    ConnectionException replica = assertThrows(ConnectionException.class, this::check);
    assertEquals(FailureKind.READONLY, replica.failure().trouble());
    assertFalse(topology.knows(0, master()), "the sentinels are asked again");
  }
}
