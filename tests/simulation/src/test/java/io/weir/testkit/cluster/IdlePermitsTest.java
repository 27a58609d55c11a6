package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Permits that a node no longer needs are soon available to others: one node is busy and then
 * stops, again and again, while the others have requests all the time.
 */
@ExtendWith(Quiet.class)
@OneDayIn(2)
class IdlePermitsTest {
  private static final Duration FLUSH = NodeSettings.defaults().flushInterval();
  private static final Duration TRIP = Duration.ofMillis(5);
  private static final Duration SOON = FLUSH.multipliedBy(2).plus(TRIP);
  private static final Duration WITH_PLENTY = FLUSH.multipliedBy(11).plus(TRIP);

  /** Others ask more often than this. */
  private static final Duration UNTOUCHED = Duration.ofMillis(25);

  private static final Duration STEP = Duration.ofMillis(1);
  private static final int STEPS = Seeds.deep() ? 15_000 : 6_000;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void areBackWithinTwoFlushIntervals(Algorithm algorithm) {
    starve(policy(algorithm, 100, Duration.ofMinutes(1)), 2);
    starve(policy(algorithm, 1_000, Duration.ofSeconds(9)), 8);
    for (int nodes : new int[] {2, 8}) {
      starve(policy(algorithm, 1_000, Duration.ofSeconds(1)), nodes);
    }
  }

  private static void starve(Policy policy, int nodes) {
    Starving starving = new Starving(policy, nodes);
    for (int step = 0; step < STEPS; step++) {
      starving.step(step);
    }
    starving.judge();
  }

  private static Policy policy(Algorithm algorithm, long limit, Duration window) {
    boolean leaks = algorithm == Algorithm.LEAKY_BUCKET;
    return Policy.builder("starved")
        .limit(limit)
        .window(window)
        .algorithm(algorithm)
        .burst(leaks ? 50 : 0)
        .build();
  }

  /** The nodes, of which the first one comes and goes. */
  private static final class Starving {
    private final Policy policy;
    private final PermitRequest ask;
    private final SimulatedCluster cluster;
    private final Random random = new Random(1);
    private final boolean[] refused;
    private final double perStep;
    private final int every;
    private int busyUntil;
    private double due;
    private int together;
    private int longest;

    Starving(Policy policy, int nodes) {
      this.policy = policy;
      this.ask = new PermitRequest(policy, Key.of("k"));
      this.cluster = SimulatedCluster.builder().nodes(nodes).build();
      this.refused = new boolean[nodes];
      this.perStep = Math.max(0.02, 3.0 * policy.limit() / policy.window().toMillis());
      this.every = (int) Math.max(1, Math.min(20, 5 / perStep));
    }

    void step(int step) {
      if (step % 5_000 == 0) {
        busyUntil = step + 100 + random.nextInt(3_000);
      }
      due += step < busyUntil ? 2 * perStep * random.nextDouble() : -due;
      for (; due >= 1; due--) {
        cluster.request(0, List.of(ask), decision -> {});
      }
      for (int node = 1; node < refused.length && step % every == 0; node++) {
        int at = node;
        cluster.request(node, List.of(ask), decision -> refused[at] = !decision.admitted());
      }
      cluster.run(STEP);
      if (step % 5 == 0) {
        look();
      }
    }

    private void look() {
      boolean idle = !cluster.idle(UNTOUCHED).isEmpty();
      together = idle && isAnyRefused() ? together + 5 : 0;
      longest = Math.max(longest, together);
      boolean plenty = policy.window().compareTo(FLUSH.multipliedBy(100)) >= 0;
      assertEquals(Map.of(), cluster.idle(plenty ? WITH_PLENTY : SOON), policy::toString);
    }

    private boolean isAnyRefused() {
      for (boolean each : refused) {
        if (each) {
          return true;
        }
      }
      return false;
    }

    void judge() {
      long most = SOON.minus(UNTOUCHED).toMillis();
      assertTrue(longest <= most, () -> longest + " ms of " + policy + " on " + refused.length);
    }
  }
}
