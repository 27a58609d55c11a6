package io.weir.compat.testing.page;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.testkit.cluster.Report;
import io.weir.testkit.cluster.SimulatedCluster;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HotPolicyTest {
  @Test
  void eightNodesAdmitNoMoreThanTheLimit() {
    Duration minute = Duration.ofMinutes(1);
    Policy policy = Policy.builder("hot").limit(1_000).window(minute).build();
    double perSecond = 50; // over all nodes
    Load load = Load.poisson(Caller.of(policy, "alice"), perSecond);
    SimulatedCluster cluster = SimulatedCluster.builder().nodes(8).load(load).seed(1).build();

    cluster.run(Duration.ofMinutes(10));

    Report report = cluster.report();
    assertTrue(report.refused() > 0);
    assertTrue(report.admissions().size() <= 11 * 1_000);
    assertTrue(report.exchangesPerRequest() < 0.5, report::toString);
  }
}
