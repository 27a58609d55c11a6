package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.testkit.cluster.NodeSettings;
import java.time.Duration;
import java.util.List;

/** The store loses what it has counted, and nodes report it again. */
final class Wiped {
  private static final int NODES = 4;
  private static final Duration WINDOW = Duration.ofSeconds(16);

  private Wiped() {}

  /**
   * Permits used by some, in active or resting buckets, aren't available to others after a wipe.
   */
  static List<String> told(Algorithm algorithm, long seed) {
    Policy policy = Lab.policy(algorithm, 1_000, WINDOW);
    Lab lab = new Lab(Lab.cluster(seed, NODES));
    // A node that knows nothing can't compare.
    lab.ask(NODES - 1, policy, "else", 1, Lab.millis(100));
    lab.ask(0, NODES - 1, policy, "who", 970, Lab.millis(1_000 + seed * 37 % 1_000));
    lab.rest(Lab.millis(seed % 2 * (500 + seed * 331 % 2_000))); // its buckets are at rest by then
    lab.cluster.wipe(0);
    lab.ask(NODES - 1, policy, "who", 3_000, Lab.millis(3_000));
    return lab.verdict();
  }

  /** The loss is reported once: what is left can be used. */
  static List<String> once(Algorithm algorithm, long seed) {
    Policy policy = Lab.policy(algorithm, 1_000, WINDOW);
    Lab lab = new Lab(Lab.cluster(seed, NODES));
    lab.rest(Lab.millis(100 + seed * 331 % 2_000));
    lab.ask(0, NODES, policy, "who", 400, Lab.millis(1_000));
    lab.rest(Lab.millis(seed * 331 % 1_000));
    lab.cluster.wipe(0);
    lab.rest(Lab.millis(1_000));
    lab.least("use", 450, lab.ask(0, NODES, policy, "who", 1_500, Lab.millis(3_000)));
    return lab.verdict();
  }

  /** A new node doesn't take permits that others haven't reported yet. */
  static List<String> joined(long seed) {
    Policy policy = Lab.policy(Algorithm.SLIDING_WINDOW, 1_000, WINDOW);
    Lab lab = new Lab(Lab.cluster(seed, 2));
    lab.ask(0, 2, policy, "who", 990, Lab.millis(1_000));
    lab.rest(Lab.millis(1_000 + seed * 17 % 90)); // not just before the other asks anyhow
    lab.cluster.wipe(0);
    lab.ask(0, policy, "else", 5, Lab.millis(10)); // one has heard, the other hasn't
    lab.cluster.join();
    lab.ask(2, policy, "who", 3_000, Lab.millis(2_000));
    return lab.verdict();
  }

  /** The same while the request still waits: nodes hear of the loss within 10 ms. */
  static List<String> waiting(long seed) {
    Policy policy =
        Policy.builder("lab")
            .limit(1_000)
            .window(WINDOW)
            .algorithm(Algorithm.FIXED_WINDOW)
            .cost(300)
            .onStoreFailure(OnStoreFailure.CLOSED)
            .build();
    Switch store = new Switch();
    Duration soon = Lab.millis(10);
    NodeSettings settings =
        new NodeSettings(soon, Lab.millis(100), 100_000, 1, OnStoreFailure.LOCAL);
    Lab lab = new Lab(Lab.cluster(seed, 2).settings(settings).link(store::before));
    lab.ask(0, policy, "else", 1, Lab.millis(100));
    lab.ask(1, policy, "who", 2, Lab.millis(500));
    store.to(Switch.Position.GRANTS_HELD);
    lab.ask(0, policy, "who", 1, Lab.millis(5));
    lab.cluster.wipe(0);
    lab.rest(Lab.millis(30 + seed % 30)); // it has heard of it, and reports; its request waits
    store.release();
    lab.rest(Lab.millis(400));
    lab.ask(1, policy, "who", 3, Lab.millis(500));
    return lab.verdict();
  }

  /** A grant of the lost data arrives after its charges were reported. */
  static List<String> late(long seed) {
    Policy policy =
        Policy.builder("lab")
            .limit(1_000)
            .window(WINDOW)
            .algorithm(Algorithm.FIXED_WINDOW)
            .cost(300)
            .onStoreFailure(OnStoreFailure.CLOSED)
            .build();
    Switch store = new Switch();
    Lab lab = new Lab(Lab.cluster(seed, 2).link(store::before));
    lab.ask(0, policy, "else", 1, Lab.millis(100));
    lab.ask(1, policy, "who", 2, Lab.millis(500));
    store.to(Switch.Position.GRANTS_HELD);
    lab.ask(0, policy, "who", 1, Lab.millis(20));
    lab.cluster.wipe(0);
    lab.rest(Lab.millis(600));
    store.release();
    lab.rest(Lab.millis(50));
    lab.ask(0, policy, "who", 1, Lab.millis(100));
    lab.ask(1, policy, "who", 3, Lab.millis(500));
    return lab.verdict();
  }
}
