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
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Machines that are suspended with leases, and go on when the slots of those are over. */
@ExtendWith(Quiet.class)
@OneDayIn(2)
class SuspendedTest {
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void leasesEndWhileTheMachineIsSuspended(Algorithm algorithm) {
    Policy policy =
        Policy.builder("p").limit(6_000).window(Duration.ofMinutes(1)).algorithm(algorithm).build();
    SimulatedCluster cluster =
        SimulatedCluster.builder()
            .nodes(4)
            .faults(
                new Faults(
                    0,
                    0,
                    Duration.ofMillis(80),
                    0,
                    Collections.nCopies(12, Mishap.SUSPEND),
                    Duration.ofSeconds(40)))
            .load(Load.poisson(Caller.of(policy, "who"), 150))
            .build();
    cluster.run(Duration.ofMinutes(5));
    Report report = cluster.report();
    assertTrue(report.refused() > 0, "nothing was used up");
    assertEquals(List.of(), new Oracle(report, OnStoreFailure.LOCAL).violations());
  }
}
