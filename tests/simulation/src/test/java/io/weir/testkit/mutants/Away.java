package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.testkit.mutants.Switch.Position;
import java.time.Duration;
import java.util.List;

/** The store is away for a while, and then it is back. */
final class Away {
  private Away() {}

  /** Permits spent in a past window are not charged to the one in which the store is back. */
  static List<String> longer(Algorithm algorithm, long seed) {
    Policy policy = Lab.policy(algorithm, 1_000, Duration.ofSeconds(4));
    Switch store = new Switch();
    Lab lab = new Lab(Lab.cluster(seed, 2).link(store::before));
    lab.ask(0, policy, "who", 20, Lab.millis(1_000));
    store.to(Position.AWAY);
    lab.ask(0, policy, "who", 2_000, Lab.millis(2_000));
    lab.rest(Duration.ofSeconds(9));
    store.to(Position.ON);
    lab.rest(Duration.ofSeconds(1));
    long admitted = lab.ask(0, policy, "who", 2_000, Lab.millis(3_500));
    lab.least("use", 990, admitted);
    lab.tail(Duration.ofSeconds(6));
    return lab.verdict();
  }

  /** Permits spent a moment ago are charged when the store is back. */
  static List<String> shorter(long seed) {
    Policy policy = Lab.policy(Algorithm.SLIDING_WINDOW, 1_000, Duration.ofMinutes(1));
    Switch store = new Switch();
    Lab lab = new Lab(Lab.cluster(seed, 2).link(store::before));
    lab.ask(0, policy, "who", 20, Lab.millis(1_000));
    store.to(Position.AWAY);
    lab.ask(0, policy, "who", 600, Lab.millis(1_000));
    store.to(Position.ON);
    lab.rest(Duration.ofSeconds(2));
    long admitted = lab.ask(1, policy, "who", 1_500, Lab.millis(3_000));
    lab.most("forgotten", 1_000 - 400, admitted);
    lab.tail(Duration.ofSeconds(3));
    return lab.verdict();
  }

  /** Odd errors for a while. Soon after, all is as it was before. */
  static List<String> odd(long seed) {
    Policy policy = Lab.policy(Algorithm.FIXED_WINDOW, 60_000, Duration.ofMinutes(1));
    Switch store = new Switch();
    Lab lab = new Lab(Lab.cluster(seed, 1).link(store::before));
    lab.ask(0, policy, "who", 150, Lab.millis(500));
    store.to(Position.ODD);
    lab.ask(0, policy, "who", 150, Lab.millis(2_500));
    store.to(Position.ON);
    lab.rest(Duration.ofSeconds(1));
    long degraded = lab.cluster.report().degraded();
    lab.ask(0, policy, "later", 300, Lab.millis(1_000));
    lab.most("recovery", 0, lab.cluster.report().degraded() - degraded);
    lab.tail(Duration.ofSeconds(3), "later"); // what got lost of the other is unknown
    return lab.verdict();
  }

  /** The store does what it is asked, but its answer is lost: what was given back is gone. */
  static List<String> silent(Algorithm algorithm, long seed) {
    Policy policy = Lab.policy(algorithm, 1_000, Duration.ofSeconds(8));
    Switch store = new Switch();
    Lab lab = new Lab(Lab.cluster(seed, 2).link(store::before));
    lab.ask(0, policy, "who", 300, Lab.millis(1_500));
    store.to(Position.SILENT);
    lab.rest(Lab.millis(200));
    store.to(Position.ON);
    lab.rest(Lab.millis(300));
    lab.ask(1, policy, "who", 1_500, Lab.millis(2_000));
    return lab.verdict();
  }
}
