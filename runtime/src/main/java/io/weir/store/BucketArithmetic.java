package io.weir.store;

import io.weir.internal.algorithm.BucketKind;
import io.weir.internal.algorithm.BucketState;
import io.weir.internal.algorithm.NodeSumsBucket;
import io.weir.internal.algorithm.WindowSlotLayout;
import org.jspecify.annotations.Nullable;

/**
 * Counts buckets by every algorithm: it turns a bucket, a claim and the time into a grant and the
 * bucket after it. A store that can keep bytes, and change them by compare-and-set or under a lock,
 * needs nothing else:
 *
 * <pre>{@code
 * BucketUpdate update = arithmetic.execute(bytesBefore, claim, clockMicros);
 * // if update.isChanged(): write update.bytes(), or start over if another node wrote meanwhile
 * return update.grant();
 * }</pre>
 *
 * <p>It reads no clock, takes no lock, does no I/O and knows no other bucket.
 *
 * <p><b>The format of the bytes.</b> The first byte is the number of the format, {@value #FORMAT};
 * bytes of a later one are rejected with an error that says so. Format 2 is that of windows with
 * {@linkplain Grant#isFar() far leases}, format 3 that of levels whose permits are leased; all
 * others are still written in format 1. The second byte names the algorithm. Then come whole
 * numbers, seven bits a byte, the lowest first, with the highest bit set in all but the last byte
 * of a number: the shortest life of a grant, the time of the last claim that was written, and what
 * the algorithm counts. Most buckets take 10 to 40 bytes; a sliding window up to 4 bytes more for
 * each of its {@value #SLOTS} slots, a sliding log up to 10 for each of its up to 4,096 entries.
 * The bytes depend on neither the JVM nor the locale. Reading checks that all numbers are within
 * their ranges and in order, and that nothing is missing or left over. It can't detect damage that
 * leads to other valid numbers, so a store on an unreliable medium needs a checksum of its own.
 *
 * <p>Immutable.
 */
public final class BucketArithmetic {
  /** The format that is written. Bytes of all formats up to it can be read. */
  public static final int FORMAT = BucketState.FORMAT;

  /** The largest number of slots of a window; permits are counted by slots. */
  public static final int SLOTS = WindowSlotLayout.MAX_SLOTS;

  private final long minLifeMicros;

  private BucketArithmetic(long minLifeMicros) {
    this.minLifeMicros = minLifeMicros;
  }

  /**
   * Makes arithmetic for a store that is asked for each request: permits are spent where they are
   * granted, and everything is exact to the microsecond.
   *
   * @return arithmetic without leases
   */
  public static BucketArithmetic exact() {
    return new BucketArithmetic(0);
  }

  /**
   * Makes arithmetic for a {@link LeasingStore}, where each grant lives at least this long. A store
   * must always use the same number, since a bucket's bytes can only be read with the number that
   * they were written with.
   *
   * @param micros {@link LeasingStore#minLifeMicros()}, 1 and more; no window may be shorter
   * @return arithmetic with leases
   * @throws IllegalArgumentException if it is less than 1
   */
  public static BucketArithmetic leasing(long micros) {
    if (micros < 1) {
      throw new IllegalArgumentException(
          "the life of a lease must be at least 1 µs, not " + micros);
    }
    return new BucketArithmetic(micros);
  }

  /**
   * Executes one claim on a bucket that is kept as bytes.
   *
   * @param bytes the last {@link BucketUpdate#bytes()}; null if nothing is stored
   * @param told the claim
   * @param clockMicros microseconds since the epoch by the store's clock; a time earlier than the
   *     last claim's counts as that
   * @return the answer and the bytes to store
   * @throws BucketFormatException if the bytes can't be read
   * @throws IllegalArgumentException if the window is shorter than a grant must live
   */
  public BucketUpdate execute(byte @Nullable [] bytes, Claim told, long clockMicros) {
    BucketSpec spec = told.bucket().spec();
    BucketState state = bytes == null ? state(spec) : state(spec, bytes);
    Claim claim = told.at(Math.max(state.lastClaimAt(), clockMicros));
    boolean counts = state.isChangedByTermsOf(claim);
    Grant grant = state.execute(claim, clockMicros);
    counts |= grant.permits() > 0 || claim.debt() > 0 || !claim.giveBacks().isEmpty();
    counts |= claim.clearBefore() > 0;
    counts |= state.wasRaised();
    // A refusal of a strict bucket moves its next refill.
    counts |= spec.strict() && (grant.permits() < claim.needed() || claim.refusedAt() > 0);
    long expiresAt = state.expiresAt();
    if (expiresAt <= state.lastClaimAt()) {
      return new BucketUpdate(grant, null, bytes != null, expiresAt);
    }
    return new BucketUpdate(grant, counts ? state.toBytes() : bytes, counts, expiresAt);
  }

  /**
   * Makes a bucket that was never used.
   *
   * @param spec its algorithm and window
   * @return a bucket in memory
   * @throws IllegalArgumentException if the window is shorter than a grant must live
   */
  public LiveBucket fresh(BucketSpec spec) {
    return state(spec);
  }

  /**
   * Reads a bucket.
   *
   * @param spec its algorithm and window
   * @param bytes the result of {@link LiveBucket#toBytes()} or {@link BucketUpdate#bytes()}
   * @return a bucket in memory
   * @throws BucketFormatException if the bytes can't be read
   * @throws IllegalArgumentException if the window is shorter than a grant must live
   */
  public LiveBucket read(BucketSpec spec, byte[] bytes) {
    return state(spec, bytes);
  }

  /**
   * Returns whether buckets of a spec consist of a sum for each slot of time, so that each node of
   * a store may keep its own sums and add up those of all. Windows and logs do, levels don't.
   *
   * @param spec algorithm and window
   * @return whether {@link #slotted} makes one
   */
  public static boolean isSlotted(BucketSpec spec) {
    return NodeSumsBucket.makes(spec);
  }

  /**
   * Makes a bucket to be put together out of sums, for one moment.
   *
   * @param spec its algorithm and window
   * @param clockMicros the moment, by the store's clock
   * @return a bucket to which nothing is charged yet
   * @throws IllegalArgumentException if it {@linkplain #isSlotted isn't counted in slots}, or the
   *     window is shorter than a grant must live
   */
  public SlottedBucket slotted(BucketSpec spec, long clockMicros) {
    return NodeSumsBucket.of(spec, minLifeMicros, clockMicros);
  }

  private BucketState state(BucketSpec spec) {
    return BucketKind.bucket(spec, minLifeMicros);
  }

  private BucketState state(BucketSpec spec, byte[] bytes) {
    return BucketKind.read(spec, minLifeMicros, bytes);
  }
}
