package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.compat.cluster.node.Terms;
import io.weir.compat.redis.RedisServer;
import io.weir.compat.redis.fault.Hiccups;
import io.weir.seeds.OneDayIn;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@OneDayIn(2)
class LoadTest {
  /** A machine that was so late may have kept a node from the store. */
  private static final long LATE_NANOS = 50_000_000;

  private static final int THREADS = 4;

  @ParameterizedTest
  @EnumSource
  void threeNodesKeepToTheLimitUnderLoadOnOneRedis(Algorithm algorithm) throws Exception {
    // Permits that come one by one, faster than a grant lives, are lost in part.
    int limit = algorithm == Algorithm.LEAKY_BUCKET ? 20 : 400;
    Terms terms = new Terms("load." + algorithm, algorithm, limit, 2_000);
    keepsToTheLimit(RedisServer.shared(), terms, 4);
  }

  static void keepsToTheLimit(String store, Terms terms, int keys) throws Exception {
    Nodes nodes =
        Nodes.on(store, Map.of("weir.prefix", RedisServer.prefix(), "weir.store.timeout", "2s"));
    Report report;
    boolean isLate;
    try (Hiccups hiccups = new Hiccups()) {
      nodes.start(terms, "caller", keys, THREADS, 500);
      Pause.millis(2_300);
      report = nodes.stop();
      isLate = hiccups.worstNanos() > LATE_NANOS;
    }
    nodes.close();
    assertEquals(List.of(), report.errors());
    assertEquals(0, report.stuck());
    assertEquals(Nodes.COUNT * THREADS, report.threads().size());
    Report degraded = report.degraded();
    assertTrue(isLate || degraded.count() == 0, () -> "" + degraded.samples());
    for (int key = 0; key < keys; key++) {
      Report own = report.ofKey(key);
      long excess = Bounds.excess(own.exact(), terms);
      assertTrue(excess <= 0, terms + ": " + excess + " beyond the limit");
      int admitted = own.admitted().count();
      long least = Math.min(terms.limit(), own.count()) / 2; // a slow machine asks for less
      assertTrue(admitted >= least, terms + ": admitted only " + admitted);
    }
  }
}
