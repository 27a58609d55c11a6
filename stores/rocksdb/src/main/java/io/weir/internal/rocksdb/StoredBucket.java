package io.weir.internal.rocksdb;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A bucket as it is stored: five bytes for the second from which on it is over, rounded up; then
 * what {@link io.weir.store.BucketArithmetic} made of it.
 */
final class StoredBucket {
  private static final int TIME = 5;
  private static final long MICROS = 1_000_000;
  private static final long MOST_SECONDS = (1L << TIME * Byte.SIZE) - 1;

  private final Generation generation;
  private final byte @Nullable [] bytes;
  private final long expiresAt;

  StoredBucket(Generation generation, byte @Nullable [] bytes, long expiresAt) {
    this.expiresAt = expiresAt;
    this.generation = generation;
    this.bytes = bytes;
  }

  static StoredBucket read(Generation generation, byte[] value, long now) {
    return new StoredBucket(generation, bytes(value, now).orElse(null), expiresAt(value));
  }

  /** What is stored of a bucket. */
  static byte[] write(byte[] bytes, long expiresAt) {
    long seconds = Math.min(MOST_SECONDS, Math.max(0, expiresAt) / MICROS + 1);
    byte[] value = new byte[TIME + bytes.length];
    for (int at = TIME - 1; at >= 0; at--) {
      value[at] = (byte) seconds;
      seconds >>>= Byte.SIZE;
    }
    System.arraycopy(bytes, 0, value, TIME, bytes.length);
    return value;
  }

  /** What is stored for the arithmetic; nothing if it is over. */
  static Optional<byte[]> bytes(byte[] value, long now) {
    long over = expiresAt(value);
    return now >= over
        ? Optional.empty()
        : Optional.of(Arrays.copyOfRange(value, TIME, value.length));
  }

  /** From when on it is over, in microseconds, rounded up. */
  static long expiresAt(byte[] value) {
    long seconds = 0;
    for (int at = 0; at < TIME; at++) {
      seconds = seconds << Byte.SIZE | value[at] & 0xFF;
    }
    return seconds * MICROS;
  }

  /** Where it is. */
  Generation generation() {
    return generation;
  }

  /** For the arithmetic; null if it is over. */
  byte @Nullable [] bytes() {
    return bytes;
  }

  /** From when on it is over, in microseconds. */
  long expiresAt() {
    return expiresAt;
  }
}
