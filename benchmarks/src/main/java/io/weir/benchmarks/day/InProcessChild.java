package io.weir.benchmarks.day;

import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.benchmarks.Heap;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.SplittableRandom;

/** A JVM that holds the buckets of many users, and reports the memory of each. */
public final class InProcessChild {
  private InProcessChild() {}

  /**
   * Lets an hour of its own clock pass, in which each user asks a number of times; prints bytes a
   * user beyond the characters of the key, and ends.
   *
   * @param args an algorithm, how many users, and how often each asks
   */
  public static void main(String[] args) {
    int users = Integer.parseInt(args[1]);
    int each = Integer.parseInt(args[2]);
    Duration window = Duration.ofMillis(Nodes.HOUR_MILLIS);
    Policy policy =
        Policy.builder("hour")
            .algorithm(Algorithm.valueOf(args[0]))
            .limit(Nodes.PER_HOUR)
            .window(window)
            .build();
    FakeTicker clock = new FakeTicker();
    SplittableRandom random = new SplittableRandom(1);
    // Room for many more would make tables that no user needs.
    InProcessStore store = new InProcessStore(clock, 2 * users);
    try (RateLimiter limiter = RateLimiter.builder().store(store).ticker(clock).build()) {
      limiter.tryAcquire(policy, Key.of("first"));
      long before = Heap.used();
      long characters = 0;
      for (int i = 0; i < users; i++) {
        limiter.tryAcquire(policy, Key.of("user-" + i));
        characters += ("user-" + i).length();
      }
      for (int i = 1; i < each; i++) {
        for (int j = 0; j < users; j++) {
          limiter.tryAcquire(policy, Key.of("user-" + random.nextInt(users)));
          if (j % 64 == 0) {
            clock.advance(window.dividedBy((long) each * users / 64));
          }
        }
      }
      System.out.println((double) (Heap.used() - before - characters) / users);
    }
    System.exit(0);
  }
}
