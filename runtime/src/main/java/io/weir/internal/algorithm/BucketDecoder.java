package io.weir.internal.algorithm;

import io.weir.store.BucketFormatException;

/**
 * Reads the bytes of a bucket, as {@link BucketEncoder} writes them, and rejects everything else.
 *
 * <p>Confine to one thread.
 */
final class BucketDecoder {
  /**
   * The latest time: the year 4253. Far enough for any clock and for all that drains in 142 years,
   * and so near that no product of times and slots overflows.
   */
  static final long LATEST = 1L << 56;

  private static final int MORE = 0x80;
  private static final int BITS = 7;

  private final byte[] bytes;
  private int at;

  BucketDecoder(byte[] bytes) {
    this.bytes = bytes;
  }

  boolean hasMore() {
    return at < bytes.length;
  }

  /** Reads a number that isn't negative; the error message names it. */
  long number(String what, long least, long most) {
    long number = number(what);
    if (number < least || number > most) {
      throw wrong(what + " must be " + least + " to " + most + ", not " + number);
    }
    return number;
  }

  /** Reads a time that was written as a distance from another one. */
  long time(String what, long other) {
    long written = number(what);
    long time = other + (written >>> 1 ^ -(written & 1));
    if (time < 0 || time > LATEST) {
      throw wrong(what + " must be a time from 1970 to 4253, not " + time);
    }
    return time;
  }

  void end() {
    if (hasMore()) {
      throw wrong((bytes.length - at) + " bytes are left over");
    }
  }

  private long number(String what) {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += BITS) {
      if (at == bytes.length) {
        throw wrong("they end where " + what + " is missing");
      }
      byte next = bytes[at++];
      number |= (long) (next & MORE - 1) << shift;
      if (next >= 0) {
        if (next == 0 && shift > 0) {
          throw wrong(what + " must be written in as few bytes as possible");
        }
        return number;
      }
    }
    throw wrong(what + " must be a number of at most 63 bits");
  }

  static BucketFormatException wrong(String rule) {
    return new BucketFormatException("the bytes of a bucket can't be read: " + rule);
  }
}
