package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.testkit.cluster.ClusterBuilder;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.List;

/** The store loses what it has counted, and nodes tell it again. */
final class Wiped {
  private static final int NODES = 4;
  private static final Duration WINDOW = Duration.ofSeconds(16);

  private Wiped() {}

  /** What was used by some, in use or at rest, isn't there for others after a wipe. */
  static List<String> told(Algorithm algorithm, long seed) {
    Policy policy = Lab.policy(algorithm, 1_000, WINDOW);
    Lab lab = new Lab(Lab.cluster(seed, NODES));
    lab.ask(0, NODES - 1, policy, "who", 700, Lab.millis(1_000 + seed * 37 % 1_000));
    lab.rest(Lab.millis(seed * 331 % 2_000)); // its entries may be at rest by then
    lab.cluster.wipe(0);
    lab.ask(NODES - 1, policy, "who", 1_500, Lab.millis(3_000));
    return lab.verdict();
  }

  /** It is told once: what is left can be used. */
  static List<String> once(Algorithm algorithm, long seed) {
    Policy policy = Lab.policy(algorithm, 1_000, WINDOW);
    Lab lab = new Lab(Lab.cluster(seed, NODES));
    lab.rest(Lab.millis(100 + seed * 331 % 2_000));
    lab.ask(0, NODES, policy, "who", 400, Lab.millis(1_000));
    lab.rest(Lab.millis(seed * 331 % 1_000));
    lab.cluster.wipe(0);
    lab.rest(Lab.millis(1_000));
    lab.least("use", 590, lab.ask(0, NODES, policy, "who", 1_500, Lab.millis(3_000)));
    return lab.verdict();
  }

  /** A node that has just come doesn't take what others haven't told yet. */
  static List<String> joined(long seed) {
    Policy policy = Lab.policy(Algorithm.SLIDING_WINDOW, 1_000, WINDOW);
    Lab lab = new Lab(Lab.cluster(seed, 2));
    lab.ask(0, 2, policy, "who", 900, Lab.millis(1_000));
    lab.rest(Duration.ofSeconds(1));
    lab.cluster.wipe(0);
    lab.ask(0, policy, "else", 5, Lab.millis(10)); // one has heard, the other hasn't
    lab.cluster.join();
    lab.ask(2, policy, "who", 1_500, Lab.millis(2_000));
    return lab.verdict();
  }

  /** Answers overtake each other: one of the old data comes after it was told what counted. */
  static List<String> late(long seed) {
    Policy policy = Lab.policy(Algorithm.FIXED_WINDOW, 2_000, Duration.ofSeconds(4));
    Load load = Load.poisson(Caller.of(policy, "who"), 2_000);
    ClusterBuilder cluster =
        Lab.cluster(seed, NODES)
            .load(load)
            .faults(
                new io.weir.testkit.cluster.Faults(
                    0, 0.3, Lab.millis(24), 0, List.of(), Duration.ofSeconds(3)));
    Lab lab = new Lab(cluster);
    for (int i = 0; i < 6; i++) {
      lab.rest(Lab.millis(3_300 + seed * 31 % 1_000));
      lab.cluster.wipe(0);
    }
    lab.rest(Duration.ofSeconds(4));
    return lab.verdict();
  }
}
