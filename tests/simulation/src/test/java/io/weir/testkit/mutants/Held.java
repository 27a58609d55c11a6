package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.testkit.mutants.Switch.Position;
import java.time.Duration;
import java.util.List;

/** Messages that take just so long that a mistake shows. */
final class Held {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private Held() {}

  /** Answers come late, and leases are spent when they end. */
  static List<String> token(long seed) {
    Policy policy = Lab.policy(Algorithm.TOKEN_BUCKET, 1_200, SECOND.multipliedBy(10));
    Switch store = new Switch();
    Lab lab = new Lab(Lab.cluster(seed, 2).link(store::before));
    lab.ask(0, 2, policy, "first", 2, Lab.millis(10));
    for (int i = 0; i < 5; i++) {
      lab.ask(0, policy, "who", 120, Duration.ofNanos(200_000)); // most share the second claim
      store.to(Position.ANSWERS_HELD);
      lab.rest(Lab.millis(60 + seed % 30));
      store.release();
      lab.rest(Lab.millis(120));
      lab.ask(0, 2, policy, "who", 1_500, Lab.millis(60));
      lab.rest(SECOND.multipliedBy(11));
    }
    return lab.verdict();
  }

  /** Answers take most of their permits' life; a window later all of them are wanted again. */
  static List<String> log(long seed) {
    Policy policy = Lab.policy(Algorithm.SLIDING_LOG, 120, SECOND);
    Switch store = new Switch();
    Lab lab = new Lab(Lab.cluster(seed, 2).link(store::before));
    for (int i = 0; i < 5; i++) {
      store.to(Position.ANSWERS_HELD);
      lab.ask(0, policy, "who", 120, Lab.millis(1));
      lab.rest(Lab.millis(3));
      store.release();
      lab.rest(Lab.millis(986));
      lab.ask(1, policy, "who", 400, Lab.millis(40));
      lab.rest(Lab.millis(1_100 + seed % 17));
    }
    return lab.verdict();
  }

  /**
   * Give-backs reach the store after the permits have drained; others have used the bucket since.
   */
  static List<String> stale(long seed) {
    Policy policy = Lab.policy(Algorithm.TOKEN_BUCKET, 120, SECOND);
    Switch store = new Switch();
    Lab lab = new Lab(Lab.cluster(seed, 2).link(store::before));
    for (int i = 0; i < 5; i++) {
      lab.ask(0, policy, "who", 60, Lab.millis(200 + seed % 50));
      store.to(Position.CALLS_HELD);
      lab.rest(Lab.millis(900));
      lab.ask(1, policy, "who", 110, Lab.millis(50));
      store.release();
      lab.ask(1, policy, "who", 200, Lab.millis(100));
      lab.rest(SECOND.multipliedBy(2));
    }
    return lab.verdict();
  }
}
