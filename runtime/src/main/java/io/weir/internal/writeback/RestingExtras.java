package io.weir.internal.writeback;

import io.weir.internal.writeback.debt.BorrowedPermits;
import io.weir.internal.writeback.lease.RestingLease;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a bucket at rest keeps beside its numbers.
 *
 * <p>Immutable, but for what the lease says.
 *
 * @param borrowed what this node has borrowed of the bucket in the last window, if anything
 * @param lease what is kept of far leases and can't be packed, if anything
 * @param farLimit the limit that the far lease was granted under; 0 if there is none
 */
record RestingExtras(@Nullable BorrowedPermits borrowed, @Nullable RestingLease lease, long farLimit) {
  static final RestingExtras NONE = new RestingExtras(null, null, 0);
}
