package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.simulation.oracle.Bound;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The total admissions of nodes that can't reach the store, each by its own count. */
@ExtendWith(Quiet.class)
class CutOffTest {
  private static final int NODES = 5;
  private static final int WINDOWS = 6;
  private static final Duration WINDOW = Duration.ofSeconds(2);

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void addTheirSharesOfTheLimitPerWindow(Algorithm algorithm) {
    for (long limit : new long[] {2, 100}) {
      for (int cutOff : new int[] {1, 2, NODES}) {
        assertAdds(policy(algorithm, limit), cutOff);
      }
    }
  }

  private static void assertAdds(Policy policy, int cutOff) {
    List<Admission> added = degraded(policy, cutOff);
    long sum = added.stream().mapToLong(Admission::permits).sum();
    Bound one = Bound.of(policy).share(NODES);
    long share = cutOff * one.effectiveLimit();
    String what = sum + " permits by " + cutOff + " nodes without the store, " + policy;
    assertTrue(sum >= (WINDOWS - 2) * share, what);
    assertTrue(sum <= WINDOWS * share + cutOff * one.burst(), what);
    // Fixed windows of two nodes don't begin together.
    if (policy.algorithm() != Algorithm.FIXED_WINDOW) {
      Bound all =
          new Bound(policy.algorithm(), one.window(), share, cutOff * one.burst(), one.ahead());
      long[] times = added.stream().mapToLong(Admission::time).toArray();
      long[] permits = added.stream().mapToLong(Admission::permits).toArray();
      assertEquals(0, all.excess(times, permits), what);
    }
  }

  private static List<Admission> degraded(Policy policy, int cutOff) {
    double perSecond = Math.max(50, 5.0 * policy.limit() / WINDOW.toSeconds());
    SimulatedCluster cluster =
        SimulatedCluster.builder()
            .nodes(NODES)
            .drift(0)
            .load(Load.poisson(Caller.of(policy, "all"), perSecond))
            .build();
    cluster.run(WINDOW.multipliedBy(2));
    for (int node = 0; node < cutOff; node++) {
      cluster.cut(node, true);
    }
    cluster.run(WINDOW.multipliedBy(WINDOWS));
    return cluster.report().admissions().stream().filter(Admission::degraded).toList();
  }

  private static Policy policy(Algorithm algorithm, long limit) {
    return Policy.builder("cut").limit(limit).window(WINDOW).algorithm(algorithm).build();
  }
}
