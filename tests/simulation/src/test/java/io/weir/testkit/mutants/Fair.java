package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.List;

/** Permits that one node doesn't use, others get. */
final class Fair {
  private static final Policy POLICY =
      Lab.policy(Algorithm.FIXED_WINDOW, 1_000, Duration.ofSeconds(8));

  private Fair() {}

  /** A node that was hot stops: two flushes later it holds nothing. */
  static List<String> idle(long seed) {
    Lab lab = new Lab(Lab.cluster(seed, 2));
    lab.ask(0, POLICY, "who", 300, Lab.millis(1_500));
    lab.ask(1, POLICY, "who", 650, Lab.millis(650));
    lab.tail(Duration.ofMillis(300));
    return lab.verdict();
  }

  /** Refused while another sits on permits; admitted soon after that gave them back. */
  static List<String> refusedThenAdmitted(long seed) {
    Lab lab = new Lab(Lab.cluster(seed, 2));
    lab.ask(0, POLICY, "who", 940, Lab.millis(2_000));
    long before = lab.ask(1, POLICY, "who", 200, Lab.millis(100));
    lab.rest(Lab.millis(300));
    long after = lab.ask(1, POLICY, "who", 200, Lab.millis(2_000));
    long left = 1_000 - 940 - before - after;
    lab.promise("starved", left == 0, left + " permits that no node gets");
    return lab.verdict();
  }

  /** Asked in bursts with pauses in between: what was used before a pause still counts after it. */
  static List<String> forgetful(Algorithm algorithm, long seed) {
    Policy policy = Lab.policy(algorithm, 100, Duration.ofSeconds(2));
    Lab lab = new Lab(Lab.cluster(seed, 2));
    for (int i = 0; i < 20; i++) {
      lab.ask(i % 2, policy, "who", 60, Lab.millis(60));
      lab.rest(Lab.millis(200 + (seed * 31 + i * 17) % 400));
    }
    return lab.verdict();
  }
}
