package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.seeds.OneDayIn;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A region on a single Redis beside one on a cluster of three masters, of which one is away. */
@OneDayIn(2)
class RegionsOnClusterTest {
  private static final String MARK = "weir:mark";
  private static final int CALLERS = 18;
  private static final int LIMIT = 100;
  private static final int USED = 7;
  private static final Policy POLICY =
      Policy.builder("regions").limit(LIMIT).window(Duration.ofDays(1)).build();

  private final RedisServer single = RedisServer.start();
  private final ClusterSetup cluster = ClusterSetup.start();

  @AfterEach
  void close() {
    single.close();
    cluster.close();
  }

  private Weir eu() {
    return node("eu", single.url(), "us", cluster.url());
  }

  private Weir us() {
    Weir us = node("us", cluster.url(), "eu", single.url());
    RedisServer its = cluster.masterOf(MARK);
    Await.until("its store is marked", () -> its.ask("EXISTS", MARK).equals("1"));
    return us;
  }

  private static Weir node(String own, String store, String other, String otherStore) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.region", own);
    settings.put("weir.store", store);
    settings.put("weir.store.timeout", "1s");
    settings.put("weir.region." + other + ".store", otherStore);
    settings.put("weir.regions.interval", "200ms");
    settings.put("weir.secret", "a secret of all regions");
    settings.put("weir.write-back.leases-for-slow-callers", "false"); // all that is left is free
    return Weir.builder().onlyGivenSettings().settings(settings).build();
  }

  /** The masters that don't have the mark, without which nothing is reported. */
  private List<RedisServer> others() {
    int marked = cluster.masterOf(MARK).port();
    return cluster.masters().stream().filter(each -> each.port() != marked).toList();
  }

  /** The time is asked of a bucket that one of them has. */
  @Test
  void aNodeThatStartsWhileAMasterIsAwayReportsToTheOthers() {
    try (Weir us = us()) {
      for (RedisServer away : others()) {
        away.kill9();
        try (Weir eu = eu()) {
          List<Key> reported = reports(eu, us, "while one is away, port " + away.port());
          assertTrue(reported.size() > 0);
        }
        away.restart();
        Await.until("it is back", () -> away.ask("CLUSTER", "INFO").contains("cluster_state:ok"));
      }
    }
  }

  /** Debts that share a batch with those of the frozen one aren't charged again and again. */
  @Test
  void nothingIsChargedTwiceToTheOthersWhileAMasterStandsStill() {
    try (Weir us = us();
        Weir eu = eu()) {
      reports(eu, us, "before");
      RedisServer frozen = others().get(0);
      frozen.pause();
      List<Key> charged = reports(eu, us, "while one stands still");
      for (int report = 1; report <= 3; report++) {
        reports(eu, us, "in report " + report);
      }
      charged.forEach(each -> assertEquals(LIMIT - USED, awaitLeft(us, each), each::toString));
      frozen.resume();
    }
  }

  /** Uses permits of new callers until those whose masters answer are charged; returns these. */
  private static List<Key> reports(Weir eu, Weir us, String when) {
    List<Key> all =
        IntStream.range(0, CALLERS).mapToObj(each -> Key.user(each + " " + when)).toList();
    List<Key> reached = all.stream().filter(each -> left(us, each) == LIMIT).toList();
    for (int i = 0; i < USED; i++) {
      all.forEach(each -> assertTrue(eu.limiter().tryAcquire(POLICY, each).admitted()));
    }
    Await.until(
        "all are reported " + when,
        () -> reached.stream().allMatch(each -> left(us, each) == LIMIT - USED));
    return reached;
  }

  private static long awaitLeft(Weir node, Key who) {
    long[] left = {-1};
    Await.until("it answers", () -> (left[0] = left(node, who)) >= 0);
    return left[0];
  }

  /** Returns the permits left by the store; −1 if it doesn't answer. */
  private static long left(Weir node, Key who) {
    Decision decision = node.limiter().peek(POLICY, who);
    return decision.degraded() ? -1 : decision.remaining();
  }
}
