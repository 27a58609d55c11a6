package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.simulation.oracle.Oracle;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exchanges of a healthy cluster, and the share of a limit that it uses. */
@ExtendWith(Quiet.class)
@OneDayIn(2)
class ExchangesTest {
  private static final double MAX = 1.1;

  /** Exchanges a request with 1, 4, 10 and 32 nodes, as the protocol was simulated by itself. */
  @ParameterizedTest
  @CsvSource({
    "FIXED_WINDOW,   60000, 60000, 2, 0.0006, 0.0014, 0.0032, 0.0092",
    "SLIDING_WINDOW, 60000, 60000, 2, 0.0026, 0.0038, 0.0063, 0.0138",
    "TOKEN_BUCKET,   60000, 60000, 3, 0.0105, 0.0151, 0.0221, 0.0473",
    "FIXED_WINDOW,    1000,  1000, 20, 0.012, 0.018, 0.030, 0.073",
    "SLIDING_WINDOW,  1000,  1000, 20, 0.080, 0.134, 0.175, 0.405",
    "TOKEN_BUCKET,    1000,  1000, 20, 0.123, 0.276, 0.404, 0.710",
    "SLIDING_WINDOW,  1000, 60000, 5, 0.105, 0.295, 0.425, 0.570",
    "SLIDING_WINDOW,     5, 60000, 20, 0.82, 0.97, 0.99, 1.00"
  })
  void hotBucketsAskAsSeldomAsTheProtocolAllows(
      Algorithm algorithm,
      long limit,
      long windowMillis,
      int windows,
      double one,
      double four,
      double ten,
      double many) {
    int[] nodes = {1, 4, 10, 32};
    double[] expected = {one, four, ten, many};
    Policy policy = policy(algorithm, limit, Duration.ofMillis(windowMillis));
    double perSecond = 3_000.0 * limit / windowMillis;
    Seeds.today(List.of(0, 1, 2, 3), 3).parallelStream()
        .forEach(
            i -> {
              Load load = Load.poisson(Caller.of(policy, "hot"), perSecond);
              Report report = run(nodes[i], load, policy.window().multipliedBy(windows));
              String what = policy + " on " + nodes[i];
              assertEquals(expected[i], report.exchangesPerRequest(), expected[i] / 4, what);
              assertUsed(report, what);
            });
  }

  private static void assertUsed(Report report, String what) {
    Oracle oracle = new Oracle(report, OnStoreFailure.LOCAL);
    assertEquals(List.of(), oracle.violations(), what);
    double use = oracle.use().orElse(1);
    assertTrue(use >= 0.995, () -> "use " + use + " of " + what);
  }

  @Test
  void noPatternAsksMuchOftenerThanRequestsCome() {
    List<Policy> policies = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      policies.add(policy(algorithm, 5, Duration.ofMinutes(1)));
      policies.add(policy(algorithm, 1_000, Duration.ofMinutes(1)));
      policies.add(policy(algorithm, 60_000, Duration.ofMinutes(1)));
      policies.add(policy(algorithm, 1_000, Duration.ofSeconds(1)));
    }
    Seeds.today(policies, 7).parallelStream().forEach(ExchangesTest::assertFew);
  }

  private static void assertFew(Policy policy) {
    for (int nodes : new int[] {1, 8}) {
      for (Pattern pattern : patterns(policy)) {
        Report report = run(nodes, pattern.load(), pattern.length());
        double each = report.exchangesPerRequest();
        String what =
            String.format(
                Locale.ROOT, "%s: %.3f exchanges a request, %s, %d", pattern, each, policy, nodes);
        assertTrue(each <= MAX, what);
        assertEquals(List.of(), new Oracle(report, OnStoreFailure.LOCAL).violations(), what);
      }
    }
  }

  private record Pattern(String name, Load load, Duration length) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static List<Pattern> patterns(Policy policy) {
    Caller all = Caller.of(policy, "all");
    Caller here = all.at(Caller.Spread.one(0));
    Duration minute = Duration.ofMinutes(1);
    Duration tenth = Duration.ofMillis(100);
    Duration third = Duration.ofSeconds(3);
    List<Pattern> patterns = new ArrayList<>();
    patterns.add(
        new Pattern(
            "slow key",
            Load.bursts(all, 1, Duration.ZERO, Duration.ofSeconds(10)),
            minute.multipliedBy(5)));
    patterns.add(new Pattern("200 slow keys", slowKeys(policy), minute));
    for (double rate : new double[] {5, 15, 100, 1_000}) {
      patterns.add(
          new Pattern(
              "steady " + rate,
              Load.poisson(all, rate),
              rate > 100 ? Duration.ofSeconds(15) : minute));
    }
    for (int n : new int[] {2, 9, 10, 11, 12, 13, 20, 50}) {
      patterns.add(new Pattern("bursts of " + n, Load.bursts(here, n, tenth, third), minute));
    }
    patterns.add(
        new Pattern("on and off", Load.bursts(here, 200, Duration.ofSeconds(1), third), minute));
    patterns.add(
        new Pattern(
            "herd",
            Load.bursts(all, 1_000, Duration.ZERO, Duration.ofSeconds(20)),
            minute.plusSeconds(1)));
    return patterns;
  }

  private static Load slowKeys(Policy policy) {
    List<Load> loads = new ArrayList<>();
    for (int key = 0; key < 200; key++) {
      loads.add(Load.poisson(Caller.of(policy, "slow" + key), 0.2));
    }
    return Load.together(loads);
  }

  private static Report run(int nodes, Load load, Duration length) {
    SimulatedCluster cluster = SimulatedCluster.builder().nodes(nodes).load(load).build();
    cluster.run(length);
    return cluster.report();
  }

  private static Policy policy(Algorithm algorithm, long limit, Duration window) {
    return Policy.builder("pattern").limit(limit).window(window).algorithm(algorithm).build();
  }
}
