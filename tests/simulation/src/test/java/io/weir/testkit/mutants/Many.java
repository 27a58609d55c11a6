package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.List;

/** So many nodes, or heartbeats so far apart, that nodes are heard of late. */
final class Many {
  private static final Duration FLASH = Duration.ofMillis(3);

  private Many() {}

  /** A quarter more nodes join, and nobody reaches the store before the others hear of them. */
  static List<String> joined(long seed) {
    Policy policy = Lab.policy(Algorithm.FIXED_WINDOW, 12_000, Duration.ofHours(1));
    Lab lab = new Lab(Lab.cluster(seed, 120));
    lab.ask(0, 120, policy, "first", 120, Duration.ofSeconds(1));
    lab.rest(Duration.ofSeconds(10));
    for (int node = 120; node < 150; node++) {
      lab.cluster.join();
      lab.ask(node, policy, "first", 1, Lab.millis(5));
    }
    for (int node = 0; node < 150; node++) {
      lab.cluster.cut(node, true);
    }
    long admitted = lab.ask(0, 150, policy, "who", 150 * 120, Duration.ofSeconds(5));
    lab.most("local", policy.limit(), admitted);
    lab.least("local use", policy.limit() * 3 / 4, admitted);
    return lab.verdict();
  }

  /** Nodes join while others, that were there before, still hold their shares. */
  static List<String> held(long seed) {
    Policy policy =
        Policy.builder("ahead")
            .limit(1_000)
            .window(Duration.ofSeconds(20))
            .algorithm(Algorithm.FIXED_WINDOW)
            .overshoot(10)
            .build();
    Lab lab = new Lab(Lab.cluster(seed, 2));
    lab.ask(0, 2, policy, "first", 2, Lab.millis(10));
    lab.rest(Duration.ofSeconds(10));
    lab.cluster.join();
    lab.ask(2, policy, "first", 1, Lab.millis(10));
    lab.rest(Duration.ofSeconds(32));
    lab.ask(1, policy, "who", 1_500, Lab.millis(100));
    lab.ask(0, policy, "who", 200, FLASH);
    lab.ask(2, policy, "who", 200, FLASH);
    lab.rest(Duration.ofSeconds(2));
    return lab.verdict();
  }
}
