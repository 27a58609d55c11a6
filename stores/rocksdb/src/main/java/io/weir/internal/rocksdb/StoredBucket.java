package io.weir.internal.rocksdb;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds a bucket that was found in the database, and encodes and decodes its value: five bytes for
 * the second at which it expires, rounded up, then the bytes of {@link
 * io.weir.store.BucketArithmetic}.
 *
 * @param generation where it is stored
 * @param bytes the bytes for the arithmetic; null if it has expired
 * @param expiresAt when it expires, in microseconds
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StoredBucket(BucketGeneration generation, byte @Nullable [] bytes, long expiresAt) {
  private static final int TIME = 5;
  private static final long MICROS = 1_000_000;
  private static final long MAX_SECONDS = (1L << TIME * Byte.SIZE) - 1;

  static StoredBucket read(BucketGeneration generation, byte[] value, long now) {
    return new StoredBucket(generation, bytes(value, now).orElse(null), expiresAt(value));
  }

  static byte[] write(byte[] bytes, long expiresAt) {
    long seconds = Math.min(MAX_SECONDS, Math.max(0, expiresAt) / MICROS + 1);
    byte[] value = new byte[TIME + bytes.length];
    for (int at = TIME - 1; at >= 0; at--) {
      value[at] = (byte) seconds;
      seconds >>>= Byte.SIZE;
    }
    System.arraycopy(bytes, 0, value, TIME, bytes.length);
    return value;
  }

  /** Returns the bytes for the arithmetic; empty if the bucket has expired. */
  static Optional<byte[]> bytes(byte[] value, long now) {
    long end = expiresAt(value);
    return now >= end
        ? Optional.empty()
        : Optional.of(Arrays.copyOfRange(value, TIME, value.length));
  }

  /** Returns when it expires, in microseconds, rounded up. */
  static long expiresAt(byte[] value) {
    long seconds = 0;
    for (int at = 0; at < TIME; at++) {
      seconds = seconds << Byte.SIZE | value[at] & 0xFF;
    }
    return seconds * MICROS;
  }
}
