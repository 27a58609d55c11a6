package io.weir.internal.server.envoy;

import io.weir.internal.server.envoy.config.EnvoyLimit;
import org.jspecify.annotations.Nullable;

/** A descriptor of a request, and the limit that counts it. Used by one thread at a time. */
final class RequestDescriptor {
  private final long hits;
  private @Nullable EnvoyLimit limit;
  private @Nullable BucketUse use;

  RequestDescriptor(@Nullable EnvoyLimit limit, long hits) {
    this.limit = limit;
    this.hits = hits;
  }

  /** Returns the limit; null if nothing limits the descriptor. */
  @Nullable EnvoyLimit limit() {
    return limit;
  }

  long hits() {
    return hits;
  }

  /** Drops its limit, which another limit of the request replaces. */
  void markReplaced() {
    limit = null;
  }

  void uses(BucketUse bucket) {
    use = bucket;
  }

  /** Returns the use of its bucket; null if none counts it. */
  @Nullable BucketUse use() {
    return use;
  }

  /** Returns whether it exceeds its limit, and that isn't in shadow mode. */
  boolean isOver() {
    EnvoyLimit known = limit;
    if (known == null || known.isShadow()) {
      return false;
    }
    return use == null ? known.isZero() && hits > 0 : use.isOver();
  }

  /** Returns whether it exceeds its limit however long the caller waits. */
  boolean isNever() {
    return isOver() && (use == null || use.isNever());
  }

  /** Returns whether it refuses only together with all other quotas. */
  boolean isQuota() {
    return limit != null && limit.isQuota() && !limit.isUnlimited();
  }
}
