package io.weir.internal.http;

import io.weir.Policy;
import io.weir.store.BucketSpec;
import java.util.List;
import java.util.Optional;

/**
 * What the fields of a dialect say of one policy, whoever calls.
 *
 * <p>Immutable.
 *
 * @param spec what the policy's buckets are made of, its window above all
 * @param limit the permits per window that are in force
 * @param until when the window of the calendar ends that they tell the length of, in microseconds
 *     since the epoch; {@link Long#MAX_VALUE} if all windows are of one length
 * @param fields one for each field of the dialect; nothing for those that tell of the caller
 */
record CachedPolicyFields(BucketSpec spec, long limit, long until, List<Optional<HeaderField>> fields) {
  static CachedPolicyFields of(HeaderDialect dialect, Policy policy, long limit, long epochMicros) {
    RunningWindow window = RunningWindow.of(policy.spec(), limit, epochMicros);
    return new CachedPolicyFields(
        policy.spec(),
        limit,
        window.until(),
        dialect.fields().stream().map(each -> each.of(policy, limit, window.length())).toList());
  }

  boolean fits(Policy policy, long inForce) {
    return limit == inForce && spec.equals(policy.spec());
  }

  /** Whether the window that they tell of is over. */
  boolean isOver(long epochMicros) {
    return epochMicros >= until;
  }

  /** Whether they hold forever. */
  boolean isLasting() {
    return until == Long.MAX_VALUE;
  }
}
