package io.weir.internal.store;

import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.ExactBucketId;
import java.util.Base64;

/**
 * The names of buckets as {@value #BYTES} bytes, for keys, and as text, for positions in a list.
 *
 * <p>Safe for concurrent use.
 */
public final class BucketNames {
  /** The length of a name. */
  public static final int BYTES = 16;

  private final BucketHasher hasher;

  /** Names buckets by a hasher. */
  public BucketNames(BucketHasher hasher) {
    this.hasher = hasher;
  }

  /**
   * Returns the name of a policy's bucket.
   *
   * @return {@value #BYTES} bytes
   */
  public byte[] of(BucketId bucket) {
    byte[] name = new byte[BucketHasher.LENGTH];
    hasher.write(bucket, name, 0);
    return Base64.getUrlDecoder().decode(name);
  }

  /**
   * Returns the name of a bucket that is counted exactly.
   *
   * @return {@value #BYTES} bytes
   */
  public byte[] of(ExactBucketId bucket) {
    byte[] name = new byte[BucketHasher.LENGTH];
    hasher.write(bucket, name, 0);
    return Base64.getUrlDecoder().decode(name);
  }

  /**
   * Returns a name as {@link BucketHasher} writes it.
   *
   * @param name none or {@value #BYTES} bytes
   * @return letters, digits, {@code -} and {@code _}
   */
  public static String text(byte[] name) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(name);
  }

  /**
   * Returns the name that a text stands for.
   *
   * @param text a position; empty for the beginning
   * @return {@value #BYTES} bytes; none for an empty text
   * @throws IllegalArgumentException if it isn't the name of a bucket
   */
  public static byte[] position(String text) {
    byte[] name = Base64.getUrlDecoder().decode(text);
    if (name.length != 0 && name.length != BYTES) {
      throw new IllegalArgumentException("not the position of a bucket");
    }
    return name;
  }
}
