package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.Seeds;
import io.weir.simulation.oracle.Bound;
import io.weir.simulation.oracle.Oracle;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A store that answers, but late: around the time-out of a decision, which is 100 ms. */
@ExtendWith(Quiet.class)
class SlowStoreTest {
  private static final int LIMIT = 100;

  /**
   * Of 100; mostly 1 or 2. What isn't heard of in time is decided without the store, and reported
   * to it.
   */
  private static final long MAX_BEYOND = 10;

  static Stream<Arguments> stores() {
    int[][] answersWithin = {{1, 2}, {20, 180}, {60, 140}, {150, 170}};
    return Stream.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.TOKEN_BUCKET)
        .flatMap(
            algorithm ->
                Stream.of(answersWithin)
                    .map(millis -> Arguments.of(algorithm, millis[0], millis[1])));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void letsHardlyAnythingThroughBeyondTheLimit(Algorithm algorithm, int least, int most) {
    Policy policy =
        Policy.builder("exact")
            .limit(LIMIT)
            .window(Duration.ofMinutes(1))
            .algorithm(algorithm)
            .build();
    List<Long> beyond = new ArrayList<>();
    for (long seed : Seeds.of(1, 3).toArray()) {
      Report report = report(policy, least, most, seed);
      long[] times = report.admissions().stream().mapToLong(Admission::time).toArray();
      long[] permits = report.admissions().stream().mapToLong(Admission::permits).toArray();
      beyond.add(Bound.of(policy).excess(times, permits));
      assertEquals(List.of(), report.ledger());
      assertEquals(List.of(), new Oracle(report, OnStoreFailure.LOCAL).onTopOfGrants());
    }
    String what = algorithm + ", answers after " + least + " to " + most + " ms: beyond " + beyond;
    assertTrue(Collections.max(beyond) <= MAX_BEYOND, what);
  }

  private static Report report(Policy policy, int least, int most, long seed) {
    SimulatedCluster cluster =
        SimulatedCluster.builder()
            .seed(seed)
            .load(Load.poisson(Caller.of(policy, "all"), 85))
            .build();
    cluster.run(Duration.ofSeconds(3));
    cluster.slow(Duration.ofMillis(least), Duration.ofMillis(most));
    cluster.run(Duration.ofMinutes(3));
    return cluster.report();
  }
}
