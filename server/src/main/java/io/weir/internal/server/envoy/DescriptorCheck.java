package io.weir.internal.server.envoy;

import io.weir.internal.server.envoy.config.EnvoyLimit;
import org.jspecify.annotations.Nullable;

/** One descriptor of a request and the limit that counts it. Used by one thread at a time. */
final class DescriptorCheck {
  private final long hits;
  private @Nullable EnvoyLimit limit;
  private @Nullable BucketUse use;

  DescriptorCheck(@Nullable EnvoyLimit limit, long hits) {
    this.limit = limit;
    this.hits = hits;
  }

  /** Null if nothing limits the descriptor. */
  @Nullable EnvoyLimit limit() {
    return limit;
  }

  long hits() {
    return hits;
  }

  /** Another limit of the request stands in for its own. */
  void isReplaced() {
    limit = null;
  }

  void uses(BucketUse bucket) {
    use = bucket;
  }

  /** Null if no bucket is asked for it. */
  @Nullable BucketUse use() {
    return use;
  }

  /** Whether it doesn't fit, and its limit isn't in shadow mode. */
  boolean isOver() {
    EnvoyLimit known = limit;
    if (known == null || known.isShadow()) {
      return false;
    }
    return use == null ? known.isZero() && hits > 0 : use.isOver();
  }

  /** Whether the request is refused because of this alone. */
  boolean refuses() {
    return isOver() && !isQuota();
  }

  /** Whether it refuses only together with all others that are so. */
  boolean isQuota() {
    return limit != null && limit.isQuota() && !limit.isUnlimited();
  }
}
