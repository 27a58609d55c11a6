package io.weir.testkit.mutants;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.List;

/** Nodes that admit ahead of the store. */
final class Ahead {
  private static final Duration FLASH = Duration.ofMillis(3);

  private Ahead() {}

  private static Policy policy(Algorithm algorithm, long limit, int seconds) {
    return Policy.builder("ahead")
        .limit(limit)
        .window(Duration.ofSeconds(seconds))
        .algorithm(algorithm)
        .overshoot(10)
        .build();
  }

  /** Two nodes exhaust a bucket and all they may borrow; then others join in the same window. */
  static List<String> joined(long seed) {
    Policy policy = policy(Algorithm.FIXED_WINDOW, 1_000, 20);
    Lab lab = new Lab(Lab.cluster(seed, 2));
    lab.ask(0, 2, policy, "first", 2, Lab.millis(10));
    lab.rest(Duration.ofSeconds(42));
    lab.ask(0, policy, "who", 1_500, Lab.millis(100));
    lab.ask(1, policy, "who", 200, FLASH);
    for (int node = 2; node < 8; node++) {
      lab.cluster.join();
      lab.ask(node, policy, "first", 1, Lab.millis(10));
    }
    lab.rest(Duration.ofSeconds(6));
    lab.ask(0, 8, policy, "who", 400, FLASH);
    lab.rest(Duration.ofSeconds(2));
    return lab.verdict();
  }

  /** A bucket is exhausted again and again within its window. */
  static List<String> again(long seed) {
    Policy policy = policy(Algorithm.SLIDING_WINDOW, 100, 4);
    Lab lab = new Lab(Lab.cluster(seed, 2));
    lab.ask(0, 2, policy, "first", 2, Lab.millis(10));
    lab.rest(Duration.ofSeconds(8));
    for (int i = 0; i < 8; i++) {
      lab.ask(0, 2, policy, "who", 150, FLASH);
      lab.rest(Lab.millis(700));
    }
    lab.tail(Duration.ofSeconds(3));
    return lab.verdict();
  }

  /** Borrowed permits are not forgotten when so many others come that the bucket is evicted. */
  static List<String> flooded(long seed) {
    Policy policy = policy(Algorithm.SLIDING_WINDOW, 100, 20);
    Lab lab = new Lab(Lab.cluster(seed, 2).settings(Lab.settings(100, 5)));
    lab.ask(0, 2, policy, "first", 2, Lab.millis(10));
    lab.rest(Duration.ofSeconds(25));
    lab.ask(1, policy, "who", 200, Lab.millis(100));
    for (int i = 0; i < 6; i++) {
      lab.ask(0, policy, "who", 5, FLASH.dividedBy(10));
      for (int other = 0; other < 40; other++) {
        // Three times: the cache keeps the bucket that is asked for more often than a newcomer.
        lab.ask(0, policy, "other " + other, 3, Lab.millis(10));
      }
    }
    lab.tail(Duration.ofSeconds(3));
    return lab.verdict();
  }

  /**
   * So many callers come at once, each of them borrowing, that most buckets are evicted at once.
   */
  static List<String> throng(long seed) {
    Policy policy = policy(Algorithm.FIXED_WINDOW, 100, 60);
    Lab lab = new Lab(Lab.cluster(seed, 1).settings(Lab.settings(100, 50)));
    lab.ask(0, policy, "first", 2, Lab.millis(10));
    lab.rest(Duration.ofSeconds(65));
    for (int i = 0; i < 100; i++) {
      lab.ask(0, policy, "who " + i, 2, Duration.ofNanos(20_000));
    }
    lab.tail(Duration.ofSeconds(3));
    return lab.verdict();
  }
}
