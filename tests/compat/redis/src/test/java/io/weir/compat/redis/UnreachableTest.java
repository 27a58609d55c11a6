package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.seeds.OneDayIn;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node that can't reach its store logs once why: which host and port, and what is wrong with it.
 */
@OneDayIn(2)
class UnreachableTest {
  private static final Policy POLICY =
      Policy.builder("p").limit(1_000).window(Duration.ofHours(1)).build();

  @TempDir private Path directory;

  private final LogLines log = new LogLines();

  @AfterEach
  void close() {
    log.close();
  }

  private Stream<String> lines() {
    return Stream.concat(log.errors().stream(), log.warnings().stream());
  }

  private long saying(String[] words) {
    return lines().filter(line -> Arrays.stream(words).allMatch(line::contains)).count();
  }

  private static String setting(String name) {
    return name.equals("weir.secret") ? "of the tests" : "";
  }

  /** With the time-outs that everybody has who sets none. */
  private void assertSaysOnce(String url, String... words) {
    assertSaysOnce(
        RateLimiter.builder().store(url, UnreachableTest::setting).nodes(1).build(), words);
  }

  /** Where a server that answers late would be another reason. */
  private void assertSaysOnceIfPatient(String url, String... words) {
    assertSaysOnce(
        RateLimiter.builder()
            .store(url, name -> name.equals("weir.store.timeout") ? "10s" : setting(name))
            .storeTimeout(Duration.ofSeconds(30))
            .nodes(1)
            .build(),
        words);
  }

  private void assertSaysOnce(RateLimiter opened, String... words) {
    try (RateLimiter limiter = opened) {
      awaitSaying(limiter, words);
      for (int i = 0; i < 20; i++) {
        limiter.tryAcquire(POLICY, Key.of("who" + i));
      }
    }
    assertEquals(1, saying(words), () -> lines().toList().toString());
  }

  private void awaitSaying(RateLimiter limiter, String... words) {
    try {
      Await.until(
          String.join(" and ", words),
          () -> {
            limiter.tryAcquire(POLICY, Key.of("who"));
            return saying(words) > 0;
          });
    } catch (AssertionError notSaid) {
      throw new AssertionError(lines().toList().toString(), notSaid);
    }
  }

  @Test
  void aCertificateThatIsNotTrusted() {
    Certificate certificate = Certificate.make(directory, "ip:127.0.0.1");
    int port = RedisServer.freePort();
    try (RedisServer server = RedisServer.start(certificate.config(port))) {
      assertSaysOnceIfPatient(
          "rediss://127.0.0.1:" + port,
          "Redis at 127.0.0.1:" + port,
          "certificate isn't trusted",
          "certification path",
          "weir.store.redis.trust-store");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "user:password@"})
  void oneThatSpeaksTlsAndIsAskedWithout(String login) {
    Certificate certificate = Certificate.make(directory, "ip:127.0.0.2");
    int port = RedisServer.freePort();
    try (RedisServer server = RedisServer.start(certificate.config(port))) {
      String url = "redis://" + login + "127.0.0.1:" + port;
      assertSaysOnce(url, "Redis at 127.0.0.1:" + port, "rediss://");
      assertTrue(lines().noneMatch(line -> line.contains("password@")));
    }
  }

  @Test
  void oneThatSpeaksNoTlsAndIsAskedByIt() {
    try (RedisServer server = RedisServer.start()) {
      assertSaysOnce(
          "rediss://127.0.0.1:" + server.port(),
          "Redis at 127.0.0.1:" + server.port(),
          "no TLS handshake",
          "redis://");
    }
  }

  @Test
  void aPortThatNobodyListensOn() {
    int port = RedisServer.freePort();
    assertSaysOnce("redis://127.0.0.1:" + port, "Redis at 127.0.0.1:" + port, "Connection refused");
  }

  @Test
  void aNameThatNobodyHas() {
    assertSaysOnce(
        "redis://no-such-host.invalid", "Redis at no-such-host.invalid:6379", "unknown host");
  }

  /** As behind a firewall: packets get lost. */
  @Test
  void aHostThatDoesNotAnswer() throws IOException {
    List<Socket> full = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      while (full.size() < 100 && fill(server, full)) {
        // The kernel accepts some more than the backlog.
      }
      int port = server.getLocalPort();
      assertSaysOnce(
          "redis://127.0.0.1:" + port, "Redis at 127.0.0.1:" + port + " can't", "timed out");
    } finally {
      for (Socket each : full) {
        each.close();
      }
    }
  }

  private static boolean fill(ServerSocket server, List<Socket> full) throws IOException {
    Socket socket = new Socket();
    full.add(socket);
    try {
      socket.connect(server.getLocalSocketAddress(), 500);
      return true;
    } catch (SocketTimeoutException isFull) {
      return false;
    }
  }

  @Test
  void oneThatHangs() {
    try (RedisServer server = RedisServer.start()) {
      server.pause();
      assertSaysOnce(
          "redis://127.0.0.1:" + server.port(),
          "Redis at 127.0.0.1:" + server.port() + " doesn't answer");
      server.resume();
    }
  }

  @Test
  void aClusterThatIsAddressedAsOneServer() {
    try (ClusterSetup cluster = ClusterSetup.start()) {
      for (RedisServer node : cluster.masters()) {
        assertSaysOnceIfPatient(
            node.url(),
            "Redis at 127.0.0.1:" + node.port() + " can't be used by Weir",
            "redis-cluster://");
      }
    }
    assertTrue(log.warnings().stream().allMatch(line -> line.contains("redis-cluster://")));
  }
}
