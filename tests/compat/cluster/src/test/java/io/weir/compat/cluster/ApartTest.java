package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.compat.cluster.node.Terms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that share nothing: what the other tests would find if Weir didn't hold them together. */
class ApartTest {
  private static final int LIMIT = 1_000;

  @Test
  void threeNodesOfNoClusterAdmitTheLimitEach() throws Exception {
    Nodes nodes = Nodes.on("inprocess:", Map.of());
    Terms terms = new Terms("apart", Algorithm.SLIDING_WINDOW, LIMIT, 60_000);
    Report report = nodes.burst(terms, "caller", 10_000, 8);
    assertEquals(List.of(), report.errors());
    assertEquals(Nodes.COUNT * LIMIT, report.admitted().count());
    assertEquals((Nodes.COUNT - 1) * LIMIT, Bounds.excess(report, terms));
    nodes.close();
  }

  @Test
  void aSteadyLoadIsSeenByWhoeverStopsIt() throws Exception {
    Nodes nodes = Nodes.on("inprocess:", Map.of());
    Terms terms = new Terms("steady", Algorithm.TOKEN_BUCKET, 50, 1_000);
    nodes.start(terms, "caller", 2, 3, 500);
    Pause.millis(1_500);
    Report report = nodes.stop();
    assertEquals(0, report.stuck());
    assertEquals(Nodes.COUNT * 3, report.threads().size());
    assertTrue(report.ofKey(1).count() > 0 && report.ofKey(1).count() < report.count());
    assertTrue(Bounds.excess(report.ofKey(0), terms) > 50);
    nodes.close();
  }
}
