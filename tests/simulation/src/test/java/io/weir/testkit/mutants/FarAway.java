package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.testkit.load.Caller;
import io.weir.testkit.load.Load;
import java.time.Duration;
import java.util.List;

/**
 * A store 12 ms away, slots of 17 ms: some answers come in their slot and some after it. One caller
 * is busy, so that it gets extra permits; another stays within its limit and is never refused.
 */
final class FarAway {
  private static final int LIMIT = 400;

  private FarAway() {}

  static List<String> run(long seed) {
    Policy busy = Lab.policy(Algorithm.SLIDING_WINDOW, LIMIT, Duration.ofSeconds(1));
    Policy few = Policy.builder("few").limit(3).window(Duration.ofSeconds(1)).build();
    Caller seldom = Caller.of(few, "seldom");
    Load load =
        Load.together(
            List.of(
                Load.poisson(Caller.of(busy, "busy"), LIMIT * 0.6),
                Load.bursts(seldom, 3, Lab.millis(2), Duration.ofMillis(1_237))));
    Lab lab =
        new Lab(Lab.cluster(seed, 1).network(Lab.millis(12), Duration.ofNanos(300_000)).load(load));
    lab.rest(Duration.ofSeconds(20));
    lab.most("refused", 0, lab.cluster.report().refused());
    return lab.verdict();
  }
}
