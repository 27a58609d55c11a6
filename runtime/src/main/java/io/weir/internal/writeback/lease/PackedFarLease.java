package io.weir.internal.writeback.lease;

import org.jspecify.annotations.Nullable;

/**
 * Packs the far lease of a resting bucket into twelve bytes: many infrequent callers have one. Its
 * permits may be spent without activating the bucket.
 *
 * <p>A superclass only to save memory: an object beside the bucket would take four times as much.
 * There is no room for the limit that the lease was granted under; subclasses know it.
 *
 * <p>Invariant: permits spent here are those of the lease that are neither left nor were spent
 * before; so the size and the rest determine how many were spent in all.
 *
 * <p>Needs the bucket's lock.
 */
public abstract class PackedFarLease {
  // From the lowest bit on; together they fill a long.
  private static final int SERVED_BITS = 6;
  private static final int COUNT_BITS = 7; // a far lease has at most 65 permits
  private static final int NUMBER_BITS = FarLeaseStamp.NUMBER_BITS + 1; // and whether it reports
  private static final int SLOT_BITS = 34; // enough for the stamps of slots of a second, till 2240

  private static final int LEFT_AT = SERVED_BITS;
  private static final int SIZE_AT = LEFT_AT + COUNT_BITS;
  private static final int NUMBER_AT = SIZE_AT + COUNT_BITS;
  private static final int SLOT_AT = NUMBER_AT + NUMBER_BITS;

  /** Times are kept in units of 2^16 µs, so that an int holds four years of them. */
  private static final int UNIT = 16;

  private long packed;
  private int endsAt;

  protected PackedFarLease() {}

  /** Keeps a lease, or none; false, keeping none, if there is no room for all of it. */
  protected final boolean pack(@Nullable RestingLease lease) {
    packed = 0;
    if (lease == null) {
      return true;
    }
    long slot = FarLeaseStamp.inStore(lease.stamp());
    boolean fits =
        lease.isPlain()
            && slot >>> SLOT_BITS == 0
            && lease.left() >>> COUNT_BITS == 0
            && lease.size() >>> COUNT_BITS == 0;
    if (fits) {
      packed =
          slot << SLOT_AT
              | FarLeaseStamp.number(lease.stamp()) << NUMBER_AT
              | (long) lease.size() << SIZE_AT
              | (long) lease.left() << LEFT_AT
              | lease.served();
      // Rounded down: it may end earlier, never later.
      endsAt = (int) Math.max(0, Math.min(Integer.MAX_VALUE, lease.endsAt() >> UNIT));
    }
    return fits;
  }

  /** Returns the lease, granted under a limit, as it was packed; null if there is none. */
  protected final @Nullable RestingLease unpack(long limit) {
    int served = (int) part(0, SERVED_BITS);
    return packed == 0
        ? null
        : RestingLease.plain(farStamp(), endsAt(), left(), size(), limit, served);
  }

  /** Permits that may be spent now. */
  protected final int held(long now) {
    return now < endsAt() ? left() : 0;
  }

  /** Spends permits that it {@linkplain #held holds}. */
  protected final void spendFar(long permits) {
    packed -= permits << LEFT_AT;
  }

  /** Undoes {@link #spendFar}; false if that lease is gone or has ended. */
  protected final boolean undoSpendFar(long stamp, long permits, long now) {
    boolean here = size() > 0 && farStamp() == stamp && now < endsAt();
    boolean done = here && left() + permits <= size();
    packed += done ? permits << LEFT_AT : 0;
    return done;
  }

  protected final long farStamp() {
    return FarLeaseStamp.of(part(NUMBER_AT, NUMBER_BITS), part(SLOT_AT, SLOT_BITS));
  }

  protected final long endsAt() {
    return (long) endsAt << UNIT;
  }

  private int left() {
    return (int) part(LEFT_AT, COUNT_BITS);
  }

  private int size() {
    return (int) part(SIZE_AT, COUNT_BITS);
  }

  private long part(int at, int bits) {
    return packed >>> at & (1L << bits) - 1;
  }
}
