package io.weir.benchmarks.soak;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import java.time.Duration;
import java.util.List;

/**
 * The requests of callers: about three times the limit of some hot keys, and occasional ones of
 * many slow keys.
 */
enum SoakLoadKind {
  /** Fixed windows. */
  FIXED(Algorithm.FIXED_WINDOW, 10, 600, 4, 0, false),
  /** Sliding windows. */
  SLIDING(Algorithm.SLIDING_WINDOW, 10, 600, 4, 0, false),
  /** Token buckets. */
  TOKEN(Algorithm.TOKEN_BUCKET, 10, 600, 4, 0, false),
  /** Nodes may be ahead of the store. */
  AHEAD(Algorithm.SLIDING_WINDOW, 10, 600, 4, 10, false),
  /** A tenth more may be had. */
  SOFT(Algorithm.FIXED_WINDOW, 10, 600, 4, 0, true),
  /** Many callers, each now and then. */
  SLOW(Algorithm.SLIDING_WINDOW, 20, 6, 1_000, 0, false);

  /** The number of slots that a window is divided into for counting admissions. */
  static final int SLOTS = 20;

  /** All but the slow ones. */
  static final List<SoakLoadKind> HOT = List.of(FIXED, SLIDING, TOKEN, AHEAD, SOFT);

  private static final int TENTH = 10;

  private final Algorithm algorithm;
  private final int windowSeconds;
  private final long limit;
  private final int keys;
  private final int overshoot;
  private final boolean soft;

  SoakLoadKind(
      Algorithm algorithm, int windowSeconds, long limit, int keys, int overshoot, boolean soft) {
    this.algorithm = algorithm;
    this.windowSeconds = windowSeconds;
    this.limit = limit;
    this.keys = keys;
    this.overshoot = overshoot;
    this.soft = soft;
  }

  Policy policy() {
    PolicyBuilder made =
        Policy.builder(name())
            .algorithm(algorithm)
            .limit(limit)
            .window(Duration.ofSeconds(windowSeconds))
            .overshoot(overshoot);
    return soft ? made.mode(Mode.SOFT).exceedBy(TENTH).build() : made.build();
  }

  Algorithm algorithm() {
    return algorithm;
  }

  int keys() {
    return keys;
  }

  long limit() {
    return limit;
  }

  /** Returns the most permits that the store gives in a window, or at once. */
  long most() {
    return soft ? limit + limit / TENTH : limit + limit * overshoot / 100;
  }

  /** Returns the most that one of several nodes gives by itself. */
  long share(int nodes) {
    return Math.max(1, (soft ? limit + limit / TENTH : limit) / nodes);
  }

  long slotMicros() {
    return windowSeconds * 1_000_000L / SLOTS;
  }
}
