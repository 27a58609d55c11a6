package io.weir.internal.algorithm;

import java.util.Arrays;

/**
 * Writes the bytes of a bucket: whole numbers, seven bits a byte, the lowest first.
 *
 * <p>Confine to one thread.
 */
final class BucketEncoder {
  private static final int MORE = 0x80;
  private static final int BITS = 7;

  private byte[] bytes = new byte[32];
  private int length;

  /** Writes a number that isn't negative. */
  void put(long number) {
    if (length + Long.BYTES + 1 > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * bytes.length);
    }
    long rest = number;
    while (rest >= MORE) {
      bytes[length++] = (byte) (rest & MORE - 1 | MORE);
      rest >>>= BITS;
    }
    bytes[length++] = (byte) rest;
  }

  /** Writes a time as a distance from another one, before or after it. */
  void putTime(long time, long other) {
    long difference = time - other;
    put(difference << 1 ^ difference >> Long.SIZE - 1);
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }
}
