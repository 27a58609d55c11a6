package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that are healthy, but so many milliseconds away and back; decisions wait 100 ms. */
@ExtendWith(Quiet.class)
@OneDayIn(2)
class DistanceTest {
  private static final PermitRequest NOBODY =
      new PermitRequest(
          Policy.builder("any").limit(1).window(Duration.ofMinutes(1)).build(), Key.of("nobody"));

  private static SimulatedCluster cluster(int millis, OnStoreFailure onStoreFailure, Load load) {
    Duration tenth = Duration.ofMillis(100);
    SimulatedCluster[] built = new SimulatedCluster[1];
    built[0] =
        SimulatedCluster.builder()
            .nodes(1)
            .network(Duration.ofMillis(millis), Duration.ZERO)
            .settings(new NodeSettings(tenth, tenth, 100_000, 1, onStoreFailure))
            .link(store -> new KnownSilence(store, () -> built[0].now()))
            .load(load)
            .build();
    built[0].request(0, List.of(NOBODY), unused -> {}); // from then on the node knows the data
    return built[0];
  }

  private static void assertKept(Report report) {
    assertEquals(List.of(), new Oracle(report, OnStoreFailure.CLOSED).violations());
    assertEquals(0, report.degraded(), "degraded of " + report.requests());
  }

  /** The answer to a burst comes when its slot of 17 ms has ended. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 5, 20, 50})
  void noCallerIsRefusedWhatWasGrantedToIt(int millis) {
    Policy policy = Policy.builder("p").limit(3).window(Duration.ofSeconds(1)).build();
    List<Load> callers =
        IntStream.range(0, 200)
            .mapToObj(
                i ->
                    Load.bursts(
                        Caller.of(policy, "caller " + i),
                        3,
                        Duration.ofMillis(2),
                        Duration.ofMillis(9_987 + i)))
            .toList();
    SimulatedCluster cluster = cluster(millis, OnStoreFailure.LOCAL, Load.together(callers));
    cluster.run(Duration.ofMinutes(2));
    Report report = cluster.report();
    assertEquals(0, report.refused(), "of " + report.requests());
    assertKept(report);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 4, 8, 20, 50})
  void aLeakyBucketAdmitsACallerAtHalfOfItsRate(int millis) {
    Policy policy =
        Policy.builder("p")
            .limit(10)
            .window(Duration.ofSeconds(6))
            .algorithm(Algorithm.LEAKY_BUCKET)
            .build();
    Caller caller = Caller.of(policy, "caller");
    Load load = Load.bursts(caller, 1, Duration.ofMillis(1), Duration.ofMillis(1_207));
    SimulatedCluster cluster = cluster(millis, OnStoreFailure.CLOSED, load);
    cluster.run(Duration.ofMinutes(5));
    Report report = cluster.report();
    assertTrue(report.requests() > 200);
    assertEquals(0, report.refused(), "of " + report.requests());
    assertKept(report);
  }

  static Stream<Arguments> limitsPerSecond() {
    return Stream.of(Algorithm.values())
        .flatMap(each -> Stream.of(0, 2, 5, 14, 20, 50).map(millis -> Arguments.of(each, millis)));
  }

  @ParameterizedTest
  @MethodSource("limitsPerSecond")
  void limitsPerSecondAreDecidedByTheStoreInAnExchangeEach(Algorithm algorithm, int millis) {
    Policy policy =
        Policy.builder("p").limit(10).window(Duration.ofSeconds(1)).algorithm(algorithm).build();
    Caller caller = Caller.of(policy, "caller");
    Load load = Load.bursts(caller, 1, Duration.ofMillis(1), Duration.ofMillis(127));
    SimulatedCluster cluster = cluster(millis, OnStoreFailure.CLOSED, load);
    cluster.run(Duration.ofMinutes(1));
    Report report = cluster.report();
    assertEquals(0, report.refused(), "of " + report.requests());
    String exchanges = String.format(Locale.ROOT, "%.2f exchanges", report.exchangesPerRequest());
    assertTrue(report.exchangesPerRequest() <= 1.1, exchanges);
    assertKept(report);
  }

  /** The lease of the long window, or its grant, ends while the short one is asked. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2, 5, 20, 50})
  void twoPoliciesAreDecidedTogether(int millis) {
    Policy second = Policy.builder("second").limit(10).window(Duration.ofSeconds(1)).build();
    Policy minute = Policy.builder("minute").limit(100).window(Duration.ofMinutes(1)).build();
    Caller caller = Caller.of(second, "caller").also(minute);
    Load load = Load.bursts(caller, 5, Duration.ofMillis(900), Duration.ofSeconds(5));
    SimulatedCluster cluster = cluster(millis, OnStoreFailure.CLOSED, load);
    cluster.run(Duration.ofMinutes(3));
    Report report = cluster.report();
    assertEquals(0, report.refused(), "of " + report.requests());
    String exchanges = String.format(Locale.ROOT, "%.2f exchanges", report.exchangesPerRequest());
    assertTrue(report.exchangesPerRequest() <= 1.1, exchanges);
    assertKept(report);
  }

  /** All of the limit is admitted under three times as many requests, and no more. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void fourNodesUseAllOfALimit(Algorithm algorithm) {
    Policy policy =
        Policy.builder("p").limit(100).window(Duration.ofSeconds(10)).algorithm(algorithm).build();
    List<String> used = new ArrayList<>();
    for (int millis : new int[] {0, 2, 5, 20, 40}) {
      SimulatedCluster cluster =
          SimulatedCluster.builder()
              .nodes(4)
              .network(Duration.ofMillis(millis), Duration.ofMillis(1))
              .load(Load.poisson(Caller.of(policy, "caller"), 30))
              .build();
      cluster.run(Duration.ofMinutes(2));
      Oracle oracle = new Oracle(cluster.report(), OnStoreFailure.LOCAL);
      assertEquals(List.of(), oracle.violations());
      double use = oracle.use().orElseThrow();
      used.add(String.format(Locale.ROOT, "%d ms: %.3f", millis, use));
      double least = algorithm == Algorithm.LEAKY_BUCKET ? 0.9 : 0.97; // one permit at a time
      assertTrue(use >= least, used::toString);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 5, 20, 50})
  void noSeedBreaksAPromise(int millis) {
    List<String> broken = new ArrayList<>();
    Seeds.of(1, 4)
        .forEach(
            seed -> {
              SimulationReport run = SimulationRun.of(seed).away(Duration.ofMillis(millis)).run();
              List<Violation> violations = run.violations();
              if (!violations.isEmpty()) {
                broken.add(run.toString());
              }
            });
    assertEquals(List.of(), broken);
  }
}
