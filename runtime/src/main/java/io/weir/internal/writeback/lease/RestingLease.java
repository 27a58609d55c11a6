package io.weir.internal.writeback.lease;

import org.jspecify.annotations.Nullable;

/**
 * What a bucket at rest keeps of its far leases: many callers who come seldom have one, so this is
 * small.
 *
 * <p>Immutable but for the permits to be given back, which belong to whoever holds this.
 *
 * @param stamp the node's stamp of the last far lease; 0 if there was none
 * @param endsAt when that ends
 * @param left permits left in it
 * @param size permits granted with it; 0 if it is over
 * @param served how many permits the one before it served
 * @param lowAt when the bucket was last seen to be low
 * @param giveBacks permits of earlier ones that go along with the next claim; null if there are
 *     none
 */
public record RestingLease(
    long stamp,
    long endsAt,
    int left,
    int size,
    int served,
    long lowAt,
    @Nullable PendingGiveBacks giveBacks) {}
