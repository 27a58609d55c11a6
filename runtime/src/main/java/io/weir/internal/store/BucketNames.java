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
  public static final int BYTES = 16;

  private final BucketHasher hasher;

  public BucketNames(BucketHasher hasher) {
    this.hasher = hasher;
  }

  public byte[] of(BucketId bucket) {
    byte[] name = new byte[BucketHasher.LENGTH];
    hasher.write(bucket, name, 0);
    return Base64.getUrlDecoder().decode(name);
  }

  public byte[] of(ExactBucketId bucket) {
    byte[] name = new byte[BucketHasher.LENGTH];
    hasher.write(bucket, name, 0);
    return Base64.getUrlDecoder().decode(name);
  }

  /**
   * Returns a name as {@link BucketHasher} writes it, in letters, digits, {@code -} and {@code _}.
   *
   * @param name none or {@value #BYTES} bytes
   */
  public static String text(byte[] name) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(name);
  }

  /**
   * Returns the name that a text stands for, none for an empty text, which is the beginning.
   *
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
