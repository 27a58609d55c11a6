package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.testkit.cluster.ClusterBuilder;
import io.weir.testkit.cluster.Faults;
import io.weir.testkit.load.Arrivals;
import io.weir.testkit.load.Caller;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Nodes that are busy for milliseconds and then aren't, all of them at about the same time, and
 * then a herd that takes whatever is left; a window later again. Answers take long now and then.
 * Nothing is lost: what gets lost leaves slack, and slack hides mistakes.
 */
final class Flicker {
  private static final int NODES = 4;
  private static final long LIMIT = 120;
  private static final long WINDOW = 1_000_000;
  private static final long SLOT = WINDOW / 60;

  private Flicker() {}

  static List<String> run(Algorithm algorithm, long seed) {
    Policy policy = Lab.policy(algorithm, LIMIT, Duration.ofSeconds(1));
    ClusterBuilder cluster =
        Lab.cluster(seed, NODES).load(a -> a.after(850_000, () -> cycle(a, policy)));
    Lab lab = new Lab(network(cluster, (int) (seed % 3)));
    lab.rest(Duration.ofSeconds(15));
    return lab.verdict();
  }

  // Some answers take several slots; some of them are given up; or each takes a part of a slot.
  private static ClusterBuilder network(ClusterBuilder cluster, int which) {
    return switch (which) {
      case 1 -> cluster.faults(spikes(0.1));
      case 2 -> cluster.faults(spikes(0.1)).settings(Lab.settings(50, 100));
      default -> cluster.network(Lab.millis(4), Lab.millis(4));
    };
  }

  static Faults spikes(double share) {
    return new Faults(0, share, Lab.millis(80), 0, List.of(), Duration.ofSeconds(3));
  }

  private static void cycle(Arrivals arrivals, Policy policy) {
    Random random = arrivals.random();
    for (int node = 0; node < arrivals.nodes(); node++) {
      Caller caller = Caller.of(policy, "who").at(Caller.Spread.one(node));
      for (int i = 0; i < 2; i++) {
        burst(arrivals, caller, random.nextInt(150_000), 30_000, 5 + random.nextInt(25));
      }
    }
    Caller herd = Caller.of(policy, "who");
    burst(arrivals, herd, 200_000, 100_000 + random.nextInt(200_000), (int) (1.5 * LIMIT));
    burst(arrivals, herd, 300_000, 500_000, (int) LIMIT);
    arrivals.after(pause(policy, random), () -> cycle(arrivals, policy));
  }

  // Fixed windows: astride an edge before which enough is left. Sliding ones: when permits come
  // back. Tokens: when all have.
  private static long pause(Policy policy, Random random) {
    return switch (policy.algorithm()) {
      case FIXED_WINDOW -> 2 * WINDOW + random.nextInt(20_000) - 10_000;
      case SLIDING_WINDOW, SLIDING_LOG -> WINDOW + SLOT + random.nextInt(100_000);
      case TOKEN_BUCKET, LEAKY_BUCKET -> 2 * WINDOW + random.nextInt(100_000);
    };
  }

  private static void burst(
      Arrivals arrivals, Caller caller, long later, int within, int requests) {
    for (int i = 0; i < requests; i++) {
      arrivals.after(later + arrivals.random().nextInt(within), () -> arrivals.request(caller));
    }
  }
}
