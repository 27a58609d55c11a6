package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.seeds.Seeds;
import io.weir.simulation.ForwardingStore;
import io.weir.simulation.oracle.Oracle;
import io.weir.store.LeasingStore;
import io.weir.store.Membership;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * So many nodes that their heartbeats are farther apart than a second: 150, and 1,000 with {@code
 * -Pdeep}. They join and go, in good order or not, and messages get lost.
 */
@ExtendWith(Quiet.class)
class ManyNodesTest {
  private static final int NODES = Seeds.deep() ? 1_000 : 150;

  /** As long as they remember a heartbeat. */
  private static final Duration REMEMBERED =
      Duration.ofMillis(LeasingStore.membershipMicros(NODES) / 1_000);

  private final Map<String, Integer> counted = new HashMap<>();
  private long heartbeats;

  /** Counts heartbeats, and what they are answered. */
  private final class Watched extends ForwardingStore {
    Watched(LeasingStore store) {
      super(store);
    }

    @Override
    public CompletionStage<Membership> heartbeat(String node) {
      heartbeats++;
      return super.heartbeat(node)
          .thenApply(
              answer -> {
                counted.put(node, answer.live());
                return answer;
              });
    }
  }

  @Test
  void getNoMoreThanTheLimitAndBorrowNoMoreThanTheOvershoot() {
    for (Algorithm algorithm : Set.of(Algorithm.SLIDING_WINDOW, Algorithm.TOKEN_BUCKET)) {
      SimulatedCluster cluster = cluster(algorithm);
      cluster.run(REMEMBERED.multipliedBy(4));
      assertEquals(
          List.of(),
          new Oracle(cluster.report(), OnStoreFailure.LOCAL).violations(),
          algorithm + ", seed " + Seeds.first());
    }
  }

  private SimulatedCluster cluster(Algorithm algorithm) {
    Policy policy =
        Policy.builder("many")
            .limit(4L * NODES)
            .window(Duration.ofSeconds(4))
            .algorithm(algorithm)
            .overshoot(50)
            .build();
    List<Mishap> mishaps = new ArrayList<>(Collections.nCopies(NODES / 6, Mishap.JOIN));
    mishaps.addAll(Collections.nCopies(NODES / 10, Mishap.CRASH));
    mishaps.addAll(Collections.nCopies(NODES / 15, Mishap.LEAVE));
    mishaps.addAll(Collections.nCopies(NODES / 15, Mishap.PAUSE));
    mishaps.addAll(Collections.nCopies(NODES / 15, Mishap.PARTITION));
    return SimulatedCluster.builder()
        .seed(Seeds.first())
        .nodes(NODES)
        .faults(new Faults(0.01, 0, Duration.ofMillis(80), 0, mishaps, Duration.ofSeconds(5)))
        .load(Load.poisson(Caller.of(policy, "all"), 2.0 * NODES))
        .link(Watched::new)
        .build();
  }

  @Test
  void sendAHundredHeartbeatsASecondTogetherAndAreAllCounted() {
    Policy policy = Policy.builder("any").limit(1_000_000).window(Duration.ofMinutes(1)).build();
    SimulatedCluster cluster =
        SimulatedCluster.builder()
            .nodes(NODES)
            .load(Load.poisson(Caller.of(policy, "all"), NODES))
            .link(Watched::new)
            .build();
    cluster.run(REMEMBERED.multipliedBy(2));
    heartbeats = 0;
    cluster.run(REMEMBERED);
    double perSecond = 1_000.0 * heartbeats / REMEMBERED.toMillis();
    assertTrue(perSecond > 80 && perSecond < 125, perSecond + " heartbeats a second");
    assertEquals(Set.of(NODES), Set.copyOf(counted.values()));
  }
}
