package io.weir.internal.writeback;

import io.weir.internal.writeback.debt.BorrowedPermits;
import io.weir.internal.writeback.debt.RecoverableCharges;
import io.weir.internal.writeback.lease.BucketSnapshot;
import io.weir.internal.writeback.lease.RestingLease;
import org.jspecify.annotations.Nullable;

/**
 * The state of a resting bucket: what it knows when it becomes active, and keeps when it comes to
 * rest.
 *
 * @param borrowed null if this node borrowed nothing in the last window
 * @param charged permits that the store has charged to this node and may still count
 * @param backoff the flushes for which its last refusal was remembered
 * @param earnings the number of requests that count towards a lease
 * @param lease the rest of far leases, if any
 */
record RestingBucketState(
    BucketSnapshot snapshot,
    @Nullable BorrowedPermits borrowed,
    RecoverableCharges charged,
    long backoff,
    int earnings,
    @Nullable RestingLease lease) {}
