package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.simulation.oracle.Oracle;
import io.weir.simulation.oracle.Violation;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The store loses all that it has counted, while every node can be reached: then the limit holds
 * all the same. {@code -Dweir.test.seeds=20} tries twenty times as many.
 */
@ExtendWith(Quiet.class)
@OneDayIn(2)
class WipeTest {
  private static final long SEEDS = Seeds.of(5).count();

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void costsNoSecondLimit(Algorithm algorithm) {
    long wipes = 0;
    double used = 0;
    for (long seed : Seeds.of(5).toArray()) {
      Report report = run(algorithm, seed);
      List<Violation> violations = new Oracle(report, OnStoreFailure.CLOSED).violations();
      assertEquals(List.of(), violations, algorithm + ", seed " + seed);
      assertTrue(report.wipes().stream().allMatch(wipe -> wipe.silent().equals(Set.of())));
      assertEquals(0, report.failed());
      wipes += report.wipes().size();
      used += new Oracle(report, OnStoreFailure.CLOSED).use().orElseThrow();
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %d seeds, %d wipes of a partition, 0 beyond the limit, use %.1f %%%n",
        algorithm,
        SEEDS,
        wipes,
        100 * used / SEEDS);
    assertTrue(wipes > SEEDS);
  }

  private static Report run(Algorithm algorithm, long seed) {
    Random random = new Random(seed * 7_919 + algorithm.name().hashCode());
    Duration window = Duration.ofMillis(500L + random.nextInt(20_000));
    long limit = 10L + random.nextInt(2_000);
    Policy policy = policy(algorithm, limit, window);
    int partitions = 1 + random.nextInt(3);
    SimulatedCluster cluster = cluster(policy, seed, partitions, random);
    cluster.run(window.plus(part(window, random)));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      for (int partition = 0; partition < partitions; partition++) {
        cluster.wipe(partition);
      }
      // Again while nodes still report, or while they wait, or when it is over.
      Duration most = random.nextBoolean() ? Duration.ofMillis(400) : window;
      cluster.run(part(most, random));
    }
    cluster.run(window.multipliedBy(2));
    return cluster.report();
  }

  private static Policy policy(Algorithm algorithm, long limit, Duration window) {
    return Policy.builder("wiped")
        .limit(limit)
        .window(window)
        .algorithm(algorithm)
        .burst(algorithm == Algorithm.LEAKY_BUCKET ? Math.max(1, limit / 4) : 0)
        .onStoreFailure(OnStoreFailure.CLOSED)
        .build();
  }

  private static SimulatedCluster cluster(Policy policy, long seed, int partitions, Random random) {
    double perSecond = policy.limit() * 1e9 / policy.window().toNanos();
    List<Load> loads = new ArrayList<>();
    loads.add(Load.poisson(Caller.of(policy, "hot"), Math.min(400, 3 * perSecond)));
    for (int i = 0; i < 5; i++) {
      Caller caller = Caller.of(policy, "warm" + i).at(Caller.Spread.skewed());
      loads.add(Load.poisson(caller, Math.min(50, perSecond)));
    }
    Caller all = Caller.of(policy, "burst");
    int meets = (int) Math.min(400, policy.limit());
    loads.add(Load.bursts(all, meets, Duration.ofMillis(100), policy.window().dividedBy(2)));
    return SimulatedCluster.builder()
        .seed(seed)
        .start(Instant.parse("2026-01-01T00:00:00Z").plusMillis(seed * 977))
        .nodes(1 + random.nextInt(8))
        .partitions(partitions)
        .settings(settings(random))
        .load(Load.together(loads))
        .build();
  }

  private static NodeSettings settings(Random random) {
    Duration flush = Duration.ofMillis(List.of(20, 50, 100).get(random.nextInt(3)));
    return new NodeSettings(flush, Duration.ofMillis(100), 1_000, 1, OnStoreFailure.CLOSED);
  }

  private static Duration part(Duration of, Random random) {
    return Duration.ofNanos((long) (random.nextDouble() * of.toNanos()));
  }
}
