package io.weir.internal.http;

import io.weir.Policy;
import io.weir.adapter.HeaderField;
import io.weir.store.BucketSpec;
import java.util.List;
import java.util.Optional;

/**
 * Holds the fields of a dialect that describe a policy under one limit, the same for all callers.
 *
 * <p>Immutable.
 *
 * @param limit the permits per window
 * @param until the end of the calendar window whose length the fields show, in microseconds since
 *     the epoch; {@link Long#MAX_VALUE} if all windows have the same length
 * @param fields one for each field of the dialect; empty for those that show the caller's quota
 */
record CachedPolicyFields(
    BucketSpec spec, long limit, long until, List<Optional<HeaderField>> fields) {
  static CachedPolicyFields of(HeaderDialect dialect, Policy policy, long limit, long epochMicros) {
    CurrentWindowLength window = CurrentWindowLength.of(policy, limit, epochMicros);
    return new CachedPolicyFields(
        policy.spec(),
        limit,
        window.until(),
        dialect.fields().stream().map(each -> each.of(policy, limit, window.length())).toList());
  }

  boolean describe(Policy policy, long effectiveLimit) {
    return limit == effectiveLimit && spec.equals(policy.spec());
  }

  /** Returns whether the window whose length they show has ended. */
  boolean areExpired(long epochMicros) {
    return epochMicros >= until;
  }

  boolean canExpire() {
    return until != Long.MAX_VALUE;
  }
}
