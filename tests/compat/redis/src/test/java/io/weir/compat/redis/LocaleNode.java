package io.weir.compat.redis;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** A node in a JVM of its own, whose default locale is what the test is about. */
final class LocaleNode {
  static final int REQUESTS = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private LocaleNode() {}

  static RateLimiter node(String url) {
    return RateLimiter.builder().store(url, LocaleNode::setting).storeTimeout(TIMEOUT).build();
  }

  private static String setting(String name) {
    return switch (name) {
      case "weir.secret" -> "of the tests";
      case "weir.store.timeout" -> TIMEOUT.toSeconds() + "s";
      default -> "";
    };
  }

  /**
   * Asks at least so often, and for so long that every node watches its store in between; returns
   * how many were decided without it.
   */
  static int degraded(RateLimiter node, Duration atLeast) {
    Policy policy = Policy.builder("p").limit(1_000_000).window(Duration.ofHours(1)).build();
    long end = System.nanoTime() + atLeast.toNanos();
    int degraded = 0;
    for (int i = 0; i < REQUESTS || System.nanoTime() < end; i++) {
      Decision decision = node.tryAcquire(policy, Key.of("k" + i % REQUESTS));
      degraded += decision.degraded() ? 1 : 0;
      if (i % REQUESTS == REQUESTS - 1) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
    return degraded;
  }

  public static void main(String[] args) {
    try (RateLimiter node = node(args[0])) {
      System.out.println(Locale.getDefault().toLanguageTag() + " " + degraded(node, PATIENCE));
    }
  }
}
