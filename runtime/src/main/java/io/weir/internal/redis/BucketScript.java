package io.weir.internal.redis;

import io.weir.store.BucketSpec;
import java.util.Locale;

/**
 * The scripts that count buckets in Redis.
 *
 * <p>Immutable.
 */
enum BucketScript {
  FIXED,
  /**
   * Also the sliding log: with leases a permit of the log is charged to the end of its slot, so
   * that it counts for exactly as long as in a sliding window.
   */
  SLIDING,
  LEVEL,
  /** Token buckets with a refill. */
  REFILL,
  CALENDAR,
  /** Buckets that a success clears. */
  ATTEMPTS;

  static BucketScript of(BucketSpec spec) {
    if (spec.clears()) {
      return ATTEMPTS;
    }
    return switch (spec.algorithm()) {
      case FIXED_WINDOW -> spec.calendar().isPresent() ? CALENDAR : FIXED;
      case SLIDING_WINDOW, SLIDING_LOG -> SLIDING;
      case TOKEN_BUCKET -> spec.hasRefill() ? REFILL : LEVEL;
      case LEAKY_BUCKET -> LEVEL;
    };
  }

  /** Returns the name of its resource, in this package. */
  String resource() {
    return name().toLowerCase(Locale.ROOT) + ".lua";
  }
}
