package io.weir.internal.writeback.lease;

/**
 * Makes the stamps by which a node distinguishes its far leases.
 *
 * <p>One far lease of a bucket may follow another within a slot, and the store gives both the same
 * stamp. But permits of the first may have been reported as spent when their refund comes, and must
 * not be spent again from the second. So a node numbers its far leases, in the bits that the
 * store's stamps don't use. Only decisions carry such a stamp; the store never sees one.
 */
final class FarLeaseStamp {
  private static final long FAR = 1L << 62;
  private static final long REPORTED = 1L << 61;
  private static final int STORE_BITS = 52;

  static final int NUMBER_BITS = 9;

  private static final long STORE = (1L << STORE_BITS) - 1;
  private static final long NUMBER = (1L << 61) - 1 & ~STORE;

  private FarLeaseStamp() {}

  /**
   * Returns the stamp of a new far lease.
   *
   * @param last that of the bucket's last one; 0 if there was none
   * @param reported whether all permits spent are reported when the lease ends
   */
  static long next(long last, long stamp, boolean reported) {
    long number = last + STORE + 1 & NUMBER;
    return FAR | (reported ? REPORTED : 0) | number | stamp & STORE;
  }

  static boolean isFar(long stamp) {
    return stamp >= FAR;
  }

  static boolean isReported(long stamp) {
    return (stamp & REPORTED) != 0;
  }

  /** Returns the number of the lease, and above it whether all that was spent was reported. */
  static long number(long stamp) {
    return (stamp & (NUMBER | REPORTED)) >>> STORE_BITS;
  }

  static long of(long number, long stamp) {
    return FAR | number << STORE_BITS | stamp;
  }

  static long inStore(long stamp) {
    return stamp & STORE;
  }
}
