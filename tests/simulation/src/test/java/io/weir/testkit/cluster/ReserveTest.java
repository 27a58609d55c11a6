package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.simulation.oracle.Bound;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nodes that can't ask the store go on by what was kept back for them: then the limit holds for
 * what all nodes admit together, however they decide. {@code -Dweir.test.seeds=20} tries twenty
 * times as many.
 */
@ExtendWith(Quiet.class)
@OneDayIn(2)
class ReserveTest {
  private static final long[] SEEDS = Seeds.of(3, 5).toArray();
  private static final int NODES = 6;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void keepsTheLimitForNodesThatAreCutOff(Algorithm algorithm) {
    long degraded = 0;
    long without = 0;
    for (long seed : SEEDS) {
      Random random = new Random(seed * 7_919L + algorithm.name().hashCode());
      Policy policy = policy(algorithm, random);
      Report kept = run(policy, seed, 30);
      assertEquals(0, excess(policy, kept), algorithm + ", seed " + seed);
      degraded += kept.admissions().stream().filter(Admission::degraded).count();
      without += excess(policy, run(policy, seed, 0));
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %d seeds, %d admitted without the store, 0 beyond the limit; %d without a reserve%n",
        algorithm,
        SEEDS.length,
        degraded,
        without);
    assertTrue(degraded > 0, "no node was cut off");
    assertTrue(without > 0 || !Seeds.deep(), "it would have held anyhow");
  }

  private static long excess(Policy policy, Report report) {
    List<Admission> all = report.admissions();
    long[] times = all.stream().mapToLong(Admission::time).toArray();
    long[] permits = all.stream().mapToLong(Admission::permits).toArray();
    return Bound.of(policy).excess(times, permits);
  }

  private static Policy policy(Algorithm algorithm, Random random) {
    long limit = 50L + random.nextInt(500);
    return Policy.builder("kept")
        .limit(limit)
        .window(Duration.ofMillis(1_000L + random.nextInt(5_000)))
        .algorithm(algorithm)
        .burst(algorithm == Algorithm.LEAKY_BUCKET ? limit / 2 : 0)
        .build();
  }

  private static Report run(Policy policy, long seed, int reserve) {
    Random random = new Random(seed);
    double perSecond = 3 * policy.limit() * 1e9 / policy.window().toNanos();
    Duration tenth = Duration.ofMillis(100);
    SimulatedCluster cluster =
        SimulatedCluster.builder()
            .seed(seed)
            .nodes(NODES)
            .settings(new NodeSettings(tenth, tenth, 1_000, NODES, OnStoreFailure.LOCAL, reserve))
            .faults(
                new Faults(0.01, 0.01, Duration.ofMillis(80), 0, mishaps(random), policy.window()))
            .load(Load.poisson(Caller.of(policy, "all"), Math.min(600, perSecond)))
            .build();
    cluster.run(policy.window().multipliedBy(10));
    return cluster.report();
  }

  private static List<Mishap> mishaps(Random random) {
    List<Mishap> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      all.add(List.of(Mishap.PARTITION, Mishap.PARTITION, Mishap.OUTAGE).get(random.nextInt(3)));
    }
    return all;
  }
}
