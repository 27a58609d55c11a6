package io.weir.internal.writeback;

import io.weir.internal.writeback.debt.BorrowedPermits;
import io.weir.internal.writeback.debt.RecoverableCharges;
import io.weir.internal.writeback.lease.RestingLease;
import io.weir.internal.writeback.lease.StoreSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * What a bucket knows when it comes into use, and leaves behind when it rests.
 *
 * @param snapshot its last known state in the store
 * @param borrowed what this node has borrowed of it in the last window, if anything
 * @param charged what the store has charged to this node and may still count
 * @param backoff for how many flushes its last refusal was remembered
 * @param earnings how many requests count towards a lease
 * @param lease what is kept of far leases, if anything
 */
record RestingBucketState(
    StoreSnapshot snapshot,
    @Nullable BorrowedPermits borrowed,
    RecoverableCharges charged,
    long backoff,
    int earnings,
    @Nullable RestingLease lease) {}
