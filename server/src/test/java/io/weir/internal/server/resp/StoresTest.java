package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests exact buckets over the protocol on each store. */
class StoresTest {
  private static final int TOKENS = 400;

  @TempDir private Path home;

  private static Served on(String store, Map<String, String> settings) {
    return Served.on(store, settings, true, RespLimits.DEFAULT);
  }

  private static Map<String, String> shared(String prefix) {
    return Map.of("weir.prefix", prefix, "weir.secret", "a secret", "weir.store.timeout", "10s");
  }

  @Test
  void inProcess() throws Exception {
    try (Served served = on("inprocess:here", Map.of())) {
      assertEachTokenIsTakenOnce(List.of(served, served));
      assertCounts(served);
    }
  }

  @Test
  void onRocksDb() throws Exception {
    String store = "rocksdb:" + home.resolve("buckets");
    Map<String, String> settings = Map.of("weir.secret", "a secret");
    try (Served served = on(store, settings)) {
      assertEachTokenIsTakenOnce(List.of(served, served));
      assertCounts(served);
    }
    try (Served again = on(store, settings);
        RespLine line = again.connect()) {
      assertEquals("0", line.ask("RL.GET", "counts", "3", "3600"));
      assertEquals("0", line.ask("RL.GET", "shared", Integer.toString(TOKENS), "3600"));
    }
  }

  @Test
  void twoServersShareARedis() throws Exception {
    assertTwoServersShare(RedisServer.shared(), shared(RedisServer.prefix()));
  }

  @Test
  void twoServersShareAPostgres() throws Exception {
    assertTwoServersShare(PostgresServer.shared().newDatabase(), shared("weir"));
  }

  private static void assertTwoServersShare(String store, Map<String, String> settings)
      throws Exception {
    try (Served one = on(store, settings);
        Served two = on(store, settings)) {
      assertEachTokenIsTakenOnce(List.of(one, two));
      assertCounts(one);
      try (RespLine line = two.connect()) {
        assertEquals("0", line.ask("RL.GET", "counts", "3", "3600"));
      }
    }
  }

  @Test
  void aStoreThatIsAwayIsTold() {
    try (RedisServer redis = RedisServer.start();
        Served served =
            on(redis.url(), Map.of("weir.secret", "a secret", "weir.store.timeout", "300ms"));
        RespLine line = served.connect()) {
      awaitAnswers(line);
      assertEquals("2", line.ask("RL.REDUCE", "a", "2", "3600"));
      redis.stop();
      String away = "-TRYAGAIN the store can't be reached";
      assertEquals(away, line.ask("RL.REDUCE", "a", "2", "3600"));
      assertEquals(away, line.ask("CL.THROTTLE", "a", "1", "1", "1"));
      assertEquals("PONG", line.ask("PING"));
      redis.restart();
      awaitAnswers(line);
      assertEquals("2", line.ask("RL.REDUCE", "a", "2", "3600"));
    }
  }

  /** A Redis that doesn't answer costs each of many the time-out of one. */
  @Test
  void aStoreThatHangsIsTold() {
    try (RedisServer redis = RedisServer.start();
        Served served =
            on(redis.url(), Map.of("weir.secret", "a secret", "weir.store.timeout", "300ms"));
        RespLine line = served.connect()) {
      awaitAnswers(line);
      assertEquals("2", line.ask("RL.REDUCE", "a", "2", "3600"));
      redis.pause();
      for (int i = 0; i < 500; i++) {
        line.send(RespLine.command("RL.REDUCE", "a", "2", "3600"));
      }
      for (int i = 0; i < 500; i++) {
        assertEquals("-TRYAGAIN the store can't be reached", line.read());
      }
      redis.resume();
      awaitAnswers(line);
      assertTrue(Integer.parseInt(line.ask("RL.GET", "a", "2", "3600")) <= 1);
    }
  }

  /** Waits for an answer in time: the first exchange over a new connection takes longer. */
  private static void awaitAnswers(RespLine line) {
    Await.until(
        "the store answers in time", () -> !line.ask("RL.GET", "a", "2", "3600").startsWith("-"));
  }

  private static void assertCounts(Served served) {
    try (RespLine line = served.connect()) {
      for (int left = 3; left > 0; left--) {
        assertEquals(Integer.toString(left), line.ask("RL.REDUCE", "counts", "3", "3600"));
      }
      assertThrottled(line, 15);
      assertThrottled(line, 14);
      assertTrue(line.ask("RL.SESSIONIZE", "session", "1", "60").startsWith("[1, 1"));
      assertTrue(line.ask("RL.SESSIONIZE", "session", "1", "60").startsWith("[0, 1"));
    }
  }

  /** Takes one of 16, of which an hour brings one back: seconds change nothing but what is told. */
  private static void assertThrottled(RespLine line, int left) {
    String reply = line.ask("CL.THROTTLE", "counts", "15", "1", "3600");
    assertTrue(reply.startsWith("[0, 16, " + left + ", -1, "), reply);
    int seconds = Integer.parseInt(reply.substring(reply.lastIndexOf(' ') + 1, reply.length() - 1));
    int most = 3_600 * (16 - left);
    assertTrue(most - 600 < seconds && seconds <= most, reply);
  }

  /** Several clients at each server, which begin together: every token is seen once. */
  private static void assertEachTokenIsTakenOnce(List<Served> servers) throws Exception {
    int clients = 8;
    CyclicBarrier barrier = new CyclicBarrier(clients);
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    List<Future<List<String>>> all = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Served mine = servers.get(i % servers.size());
      all.add(
          threads.submit(
              () -> {
                List<String> seen = new ArrayList<>();
                try (RespLine line = mine.connect()) {
                  barrier.await();
                  for (int take = 0; take < TOKENS / clients; take++) {
                    line.send(
                        RespLine.command("RL.REDUCE", "shared", Integer.toString(TOKENS), "3600"));
                  }
                  for (int take = 0; take < TOKENS / clients; take++) {
                    seen.add(line.read());
                  }
                }
                return seen;
              }));
    }
    List<String> replies = new ArrayList<>();
    for (Future<List<String>> each : all) {
      replies.addAll(each.get(60, TimeUnit.SECONDS));
    }
    threads.shutdown();
    Set<String> once = new HashSet<>(replies);
    assertEquals(TOKENS, once.size(), () -> replies + " " + Collections.frequency(replies, "1"));
  }
}
