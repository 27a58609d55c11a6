package io.weir.internal.writeback;

import io.weir.internal.writeback.debt.BorrowedPermits;
import io.weir.internal.writeback.lease.RestingLease;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a few resting buckets keep beside their numbers.
 *
 * <p>Immutable, except as the lease says.
 *
 * @param borrowed permits that this node borrowed in the last window, if any
 * @param lease the rest of far leases, if it can't be packed
 * @param farLimit the limit that the far lease was granted under; 0 if there is none
 */
record RestingExtras(
    @Nullable BorrowedPermits borrowed, @Nullable RestingLease lease, long farLimit) {
  static final RestingExtras NONE = new RestingExtras(null, null, 0);
}
