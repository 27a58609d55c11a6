package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Expiry is stored in whole seconds, and a bucket must not be gone before it. */
class StoredBucketTest {
  private static final long SECOND = 1_000_000;
  private static final byte[] BYTES = {1, 2, 3};
  private static final long[] ENDS = {
    1, SECOND - 1, SECOND, SECOND + 1, 1_767_225_600L * SECOND, 1_767_225_600L * SECOND + 999_999
  };

  @Test
  void aBucketStaysUntilItExpires() {
    for (long end : ENDS) {
      byte[] value = StoredBucket.write(BYTES, end);
      assertArrayEquals(BYTES, StoredBucket.bytes(value, end - 1).orElseThrow(), "" + end);
      assertTrue(StoredBucket.expiresAt(value) >= end, "" + end);
    }
  }

  @Test
  void andIsGoneASecondLater() {
    for (long end : ENDS) {
      byte[] value = StoredBucket.write(BYTES, end);
      assertEquals(Optional.empty(), StoredBucket.bytes(value, end + SECOND), "" + end);
    }
  }

  @Test
  void theLastSecondThatFiveBytesHaveIsNotExceeded() {
    byte[] value = StoredBucket.write(BYTES, Long.MAX_VALUE);
    assertEquals(((1L << 40) - 1) * SECOND, StoredBucket.expiresAt(value));
  }
}
