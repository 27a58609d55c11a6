package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.simulation.oracle.Oracle;
import io.weir.simulation.oracle.Violation;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import io.weir.testkit.store.GrantFault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The properties without which a simulation proves nothing. */
@ExtendWith(Quiet.class)
class SimulationTest {
  @Test
  void theSameSeedHasTheSameHappen() {
    for (long seed = 0; seed < 6; seed++) {
      SimulationReport first = SimulationRun.of(seed).run();
      SimulationReport second = SimulationRun.of(seed).run();
      assertEquals(first.toString(), second.toString());
      assertEquals(first.report(), second.report());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW"})
  void onePermitTooManyIsCaught(Algorithm algorithm) {
    assertEquals(List.of(), violations(algorithm, GrantFault.none()));
    List<Violation> caught = violations(algorithm, new OneTooMany());
    assertEquals(1, caught.size(), caught::toString);
    assertTrue(caught.get(0).what().startsWith("1 permits beyond"), caught::toString);
  }

  private static List<Violation> violations(Algorithm algorithm, GrantFault fault) {
    Policy policy =
        Policy.builder("hot").limit(200).window(Duration.ofSeconds(2)).algorithm(algorithm).build();
    SimulatedCluster cluster =
        SimulatedCluster.builder()
            .nodes(4)
            .storeFault(fault)
            .load(Load.poisson(Caller.of(policy, "alice"), 300))
            .build();
    cluster.run(Duration.ofSeconds(20));
    return new Oracle(cluster.report(), OnStoreFailure.LOCAL).violations();
  }

  /** Grants one permit once that isn't there. */
  private static final class OneTooMany implements GrantFault {
    private final AtomicBoolean done = new AtomicBoolean();

    @Override
    public Grant spoil(Claim claim, Grant right) {
      boolean plants =
          right.permits() == 0 && claim.needed() > 0 && done.compareAndSet(false, true);
      return plants
          ? Grant.builder()
              .granted(1, right.stamp(), right.life())
              .retry(right.retry())
              .reset(right.reset())
              .build()
          : right;
    }
  }
}
