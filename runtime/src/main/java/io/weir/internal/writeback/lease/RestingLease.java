package io.weir.internal.writeback.lease;

import org.jspecify.annotations.Nullable;

/**
 * What a bucket at rest keeps of its far leases. Mostly it is {@linkplain PackedFarLease packed}.
 *
 * <p>Immutable but for the permits to be given back, which belong to whoever holds this.
 *
 * @param stamp the node's stamp of the last far lease; 0 if there was none
 * @param endsAt when that ends
 * @param left permits left in it
 * @param size permits granted with it; 0 if it is over
 * @param limit the limit that it was granted under; 0 if it is over
 * @param served how many permits the one before it served
 * @param lowAt when the bucket was last seen to be low; {@link #LONG_AGO} if that no
 *     longer matters
 * @param giveBacks permits of earlier ones that go along with the next claim; null if there are
 *     none
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

  /** Whether there is nothing but a lease, as for most buckets. */
  boolean isPlain() {
    return giveBacks == null && lowAt == LONG_AGO;
  }
}
