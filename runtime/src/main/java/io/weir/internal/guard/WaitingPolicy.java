package io.weir.internal.guard;

import io.weir.spi.AppliedPolicy;
import io.weir.store.BucketSpec;
import org.jspecify.annotations.Nullable;

/**
 * Holds a policy that waits for the phase after authentication, since its condition has read the
 * user before it, though it says that it needs none.
 *
 * <p>Immutable.
 *
 * @param bound the name of a policy of the endpoint; empty for one that a policy source adds
 * @param applied what the policy source gave, or put in place of the bound one; null if nothing
 * @param endpoint the endpoint at which the request was
 */
record WaitingPolicy(
    String bound, BucketSpec bucket, @Nullable AppliedPolicy applied, String endpoint) {
  static WaitingPolicy of(AppliedPolicy applied, String endpoint) {
    return new WaitingPolicy("", applied.policy().spec(), applied, endpoint);
  }

  boolean isBound() {
    return !bound.isEmpty();
  }

  boolean isSameAs(WaitingPolicy other) {
    return bound.equals(other.bound)
        && bucket.equals(other.bucket)
        && endpoint.equals(other.endpoint);
  }
}
