package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.compat.cluster.node.Sample;
import io.weir.compat.cluster.node.Terms;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Ten nodes that share too little processor: the store answers all the while, but no thread has the
 * time to read it. {@code -Dweir.test.seeds=20} runs twenty bursts.
 */
@OneDayIn(2)
class BusyNodesTest {
  private static final int NODES = 10;
  private static final int LIMIT = 100;
  private static final int REQUESTS = 1_200;
  private static final int THREADS_PER_NODE = 4;
  private static final int BURSTS = Seeds.deep() ? 20 : 1;
  private static final long ACQUAINTED_MILLIS = 2_500;
  private static final int MAX_ROUNDS = 40;

  private static final Terms EXACT =
      new Terms("busy", Algorithm.FIXED_WINDOW, LIMIT, 366L * 24 * 3_600_000);

  @Test
  void aNodeThatDecidesWithoutTheStoreAddsAtMostWhatItLacksOfItsShare() throws Exception {
    Nodes nodes =
        Nodes.own(
            NODES,
            RedisServer.shared(),
            Map.of("weir.prefix", RedisServer.prefix(), "weir.store.nodes", "" + NODES));
    try {
      warm(nodes);
      try (ProcessorHog hog = ProcessorHog.onAllProcessors()) {
        for (int i = 0; i < BURSTS; i++) {
          check(nodes.burst(EXACT, "caller-" + i, REQUESTS, THREADS_PER_NODE), hog);
        }
      }
    } finally {
      nodes.end();
    }
  }

  /** Until all nodes are answered, and for so long that they know of each other. */
  private static void warm(Nodes nodes) throws InterruptedException {
    int rounds = 0;
    int degraded;
    do {
      degraded =
          nodes.burst(EXACT, "warm-" + rounds, REQUESTS, THREADS_PER_NODE).degraded().count();
      Pause.millis(ACQUAINTED_MILLIS);
    } while (degraded > 0 && ++rounds < MAX_ROUNDS);
    assertEquals(0, degraded, "before anything is in the way");
  }

  private static void check(Report burst, ProcessorHog hog) {
    assertEquals(List.of(), burst.errors());
    int admitted = burst.admitted().count();
    int degraded = burst.degraded().count();
    System.out.printf(
        Locale.ROOT,
        "ten busy nodes: %d of %d admitted, %d of %d decisions degraded, %d threads in the way%n",
        admitted,
        LIMIT,
        degraded,
        burst.count(),
        hog.threads());
    assertTrue(burst.admitted().exact().count() <= LIMIT, "by the store's own count");
    assertTrue(degraded > 0 || admitted == LIMIT, "exact as long as the store is heard");
    for (int node = 0; node < NODES; node++) {
      checkShare(node, burst.ofNode(node).admitted());
    }
  }

  private static void checkShare(int node, Report admitted) {
    for (Sample each : admitted.degraded().samples()) {
      int before = admitted.between(Long.MIN_VALUE, each.before()).count();
      assertTrue(before < LIMIT / NODES, "node " + node + " had " + before + " and added one");
    }
  }
}
