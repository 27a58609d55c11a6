package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.OneDayIn;
import io.weir.simulation.oracle.Oracle;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exchanges that infrequent callers cause in a healthy cluster. */
@ExtendWith(Quiet.class)
@OneDayIn(2)
class SlowCallersTest {
  private static final Duration WINDOW = Duration.ofMinutes(1);

  @ParameterizedTest
  @CsvSource({
    "SLIDING_WINDOW,  100,  5, 1, 40, 0.70",
    "SLIDING_WINDOW,  100, 20, 1, 40, 0.35",
    "SLIDING_WINDOW,  100, 20, 4, 40, 0.70",
    "SLIDING_WINDOW,  100, 50, 1, 40, 0.25",
    "SLIDING_WINDOW,  100, 80, 1, 40, 1.10",
    "SLIDING_WINDOW, 1000, 20, 1,  8, 0.05",
    "SLIDING_WINDOW, 1000, 20, 4,  8, 0.18",
    "SLIDING_WINDOW, 1000, 50, 4,  8, 0.10",
    "FIXED_WINDOW,    100, 20, 1, 40, 0.40",
    "FIXED_WINDOW,    100, 20, 4, 40, 0.75",
    "FIXED_WINDOW,   1000, 20, 4,  8, 0.20"
  })
  void callersFarFromTheirLimitAreMostlyServedFromFarLeases(
      Algorithm algorithm, long limit, int percent, int nodes, int callers, double most) {
    Policy policy = Policy.builder("p").limit(limit).window(WINDOW).algorithm(algorithm).build();
    Report report = run(policy, percent, nodes, callers);
    String what = String.format(Locale.ROOT, "%.3f", report.exchangesPerRequest());
    assertEquals(List.of(), new Oracle(report, OnStoreFailure.LOCAL).violations());
    assertTrue(report.exchangesPerRequest() <= most, what);
    assertTrue(percent > 50 || report.refused() == 0, "refused " + report.refused());
  }

  private static Report run(Policy policy, int percent, int nodes, int callers) {
    List<Load> loads = new ArrayList<>();
    double perSecond = policy.limit() * percent / 100.0 / WINDOW.toSeconds();
    for (int i = 0; i < callers; i++) {
      loads.add(Load.poisson(Caller.of(policy, "caller " + i), perSecond));
    }
    SimulatedCluster cluster =
        SimulatedCluster.builder().nodes(nodes).load(Load.together(loads)).build();
    cluster.run(WINDOW.multipliedBy(4));
    return cluster.report();
  }
}
