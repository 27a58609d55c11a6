package io.weir.internal.writeback.lease;

import org.jspecify.annotations.Nullable;

/**
 * The rest of the far leases of a resting bucket. Usually it is {@linkplain PackedFarLease packed}.
 *
 * <p>Immutable except for the give-backs, which belong to the holder of this.
 *
 * @param stamp the node's stamp of the last far lease; 0 if there was none
 * @param endsAt when that ends
 * @param left permits left in it
 * @param size permits granted with it; 0 if it has ended
 * @param limit the limit that it was granted under; 0 if it has ended
 * @param served permits that the one before it served
 * @param lowAt when the bucket was last low; {@link #LONG_AGO} if that no longer matters
 * @param giveBacks permits of earlier ones that the next claim gives back; null if there are none
 */
public record RestingLease(
    long stamp,
    long endsAt,
    int left,
    int size,
    long limit,
    int served,
    long lowAt,
    @Nullable PendingGiveBacks giveBacks) {

  /** A time that no longer matters. */
  static final long LONG_AGO = Long.MIN_VALUE / 2;

  static RestingLease plain(long stamp, long endsAt, int left, int size, long limit, int served) {
    return new RestingLease(stamp, endsAt, left, size, limit, served, LONG_AGO, null);
  }

  /** Returns whether there is nothing but a lease, as for most buckets. */
  boolean isPlain() {
    return giveBacks == null && lowAt == LONG_AGO;
  }
}
