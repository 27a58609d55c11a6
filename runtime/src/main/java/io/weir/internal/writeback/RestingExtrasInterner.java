package io.weir.internal.writeback;

import io.weir.internal.writeback.debt.BorrowedPermits;
import io.weir.internal.writeback.lease.RestingLease;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Shares one object among all resting buckets of a limit. Most keep nothing but a far lease, which
 * is packed into themselves, and the limit that it was granted under; there are many such buckets
 * and few limits.
 *
 * <p>Safe for concurrent use.
 */
final class RestingExtrasInterner {
  /** Limits may come from outside; beyond this number a bucket has an object of its own. */
  private static final int MAX_SHARED = 1_000;

  private final ConcurrentMap<Long, RestingExtras> byLimit = new ConcurrentHashMap<>();

  /** Returns the extras of a bucket; null if it has none. */
  @Nullable RestingExtras of(
      @Nullable BorrowedPermits borrowed, @Nullable RestingLease lease, long farLimit) {
    if (borrowed != null || lease != null) {
      return new RestingExtras(borrowed, lease, farLimit);
    }
    return farLimit == 0 ? null : of(farLimit);
  }

  private RestingExtras of(long farLimit) {
    RestingExtras known = byLimit.get(farLimit);
    if (known != null) {
      return known;
    }
    RestingExtras made = new RestingExtras(null, null, farLimit);
    RestingExtras first = byLimit.size() < MAX_SHARED ? byLimit.putIfAbsent(farLimit, made) : null;
    return first == null ? made : first;
  }
}
