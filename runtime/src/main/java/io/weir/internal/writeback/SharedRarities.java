package io.weir.internal.writeback;

import io.weir.internal.writeback.debt.BorrowedPermits;
import io.weir.internal.writeback.lease.RestingLease;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Gives buckets at rest one object for each limit. Most keep nothing but a far lease, which is
 * packed into themselves, and the limit that it was granted under; there are many such buckets and
 * few limits.
 *
 * <p>Safe for concurrent use.
 */
final class SharedRarities {
  /** Limits may come from outside; beyond so many a bucket has an object of its own. */
  private static final int MOST = 1_000;

  private final ConcurrentMap<Long, Rarity> byLimit = new ConcurrentHashMap<>();

  /** The terms that a bucket keeps; null if it keeps none. */
  @Nullable Rarity of(
      @Nullable BorrowedPermits borrowed, @Nullable RestingLease lease, long farLimit) {
    if (borrowed != null || lease != null) {
      return new Rarity(borrowed, lease, farLimit);
    }
    return farLimit == 0 ? null : of(farLimit);
  }

  private Rarity of(long farLimit) {
    Rarity known = byLimit.get(farLimit);
    if (known != null) {
      return known;
    }
    Rarity made = new Rarity(null, null, farLimit);
    Rarity first = byLimit.size() < MOST ? byLimit.putIfAbsent(farLimit, made) : null;
    return first == null ? made : first;
  }
}
