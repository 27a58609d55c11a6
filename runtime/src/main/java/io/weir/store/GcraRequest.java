package io.weir.store;

/**
 * Takes cells of a bucket by the generic cell rate algorithm: {@code count} cells in a period,
 * evenly spaced, and up to {@code maxBurst} of them early, beside the one whose turn it is.
 *
 * <p>It is exact: a cell that takes a fraction of a microsecond is counted as that. A refused
 * request changes nothing.
 *
 * <p>Immutable.
 */
public final class GcraRequest implements ExactRequest<GcraReply> {
  /** The most that the burst, the count and the seconds of a period may be. */
  public static final long MAX = 1_000_000_000;

  private static final long MICROS = 1_000_000;
  private static final long MAX_MICROS = 1L << 51;
  private static final long MAX_PRODUCT = 1L << 52;

  private final ExactBucketId bucket;
  private final long maxBurst;
  private final long count;
  private final long periodMicros;
  private final long quantity;

  /**
   * Makes a request.
   *
   * @param name the name of the bucket; a name of more than 128 bytes is replaced by its SHA-256,
   *     and a shorter one isn't copied, so it must not be changed
   * @param maxBurst the cells that may come early, 0 to {@link #MAX}
   * @param count the cells that may come in a period, 1 to {@link #MAX}
   * @param periodSeconds the length of the period, 1 to {@link #MAX}
   * @param quantity the cells that come now, 0 and more; 0 only asks
   * @throws IllegalArgumentException if one is out of range, if filling the bucket would take
   *     longer than 71 years, or if {@code (maxBurst + 1) × count} is so large that scripts can't
   *     count it exactly, which is never the case up to 2<sup>51</sup>
   */
  public GcraRequest(byte[] name, long maxBurst, long count, long periodSeconds, long quantity) {
    if (!isInRange(maxBurst, count, periodSeconds, quantity)) {
      throw new IllegalArgumentException(
          "maxBurst must be 0 to 1,000,000,000, count and periodSeconds 1 to 1,000,000,000,"
              + " quantity at least 0, and the bucket must fill within 71 years, by numbers that"
              + " scripts can count exactly, not "
              + maxBurst
              + ", "
              + count
              + ", "
              + periodSeconds
              + " and "
              + quantity);
    }
    this.maxBurst = maxBurst;
    this.count = count;
    this.periodMicros = periodSeconds * MICROS;
    this.quantity = quantity;
    this.bucket =
        new ExactBucketId(ExactBucketId.Kind.GCRA, name, maxBurst, count, this.periodMicros);
  }

  /**
   * Returns whether the numbers of a request are in range. Scripts count by doubles, so products
   * must stay below 2<sup>52</sup>.
   *
   * @param maxBurst see the constructor
   * @param count see the constructor
   * @param periodSeconds see the constructor
   * @param quantity see the constructor
   * @return false if the constructor would reject them
   */
  public static boolean isInRange(long maxBurst, long count, long periodSeconds, long quantity) {
    if (maxBurst < 0 || maxBurst > MAX || count < 1 || count > MAX || quantity < 0) {
      return false;
    }
    if (periodSeconds < 1 || periodSeconds > MAX) {
      return false;
    }
    long cells = maxBurst + 1;
    long whole = periodSeconds * MICROS / count + 1;
    long rest = periodSeconds * MICROS % count;
    return whole <= MAX_MICROS / cells && rest <= (MAX_PRODUCT - count) / cells;
  }

  @Override
  public ExactBucketId bucket() {
    return bucket;
  }

  /**
   * Returns the cells that may come early.
   *
   * @return 0 and more
   */
  public long maxBurst() {
    return maxBurst;
  }

  /**
   * Returns the cells that may come in a period.
   *
   * @return 1 and more
   */
  public long count() {
    return count;
  }

  /**
   * Returns the length of a period.
   *
   * @return microseconds, 1 and more
   */
  public long periodMicros() {
    return periodMicros;
  }

  /**
   * Returns the cells that come now.
   *
   * @return 0 and more
   */
  public long quantity() {
    return quantity;
  }
}
