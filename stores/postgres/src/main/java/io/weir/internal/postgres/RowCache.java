package io.weir.internal.postgres;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.ByteBuffer;

/**
 * Remembers rows as this node saw them last, so that a claim on one of them needs no reading first.
 * What is remembered may be old: it is compared whenever it is used.
 *
 * <p>Safe for concurrent use.
 */
final class RowCache {
  /** The number of bytes that weigh as much as a small state. */
  private static final int BYTES_OF_WEIGHT = 64;

  private final Cache<ByteBuffer, BucketRow> rows;

  RowCache(long most) {
    rows =
        Caffeine.newBuilder()
            .maximumWeight(2 * most)
            .weigher((ByteBuffer key, BucketRow row) -> weight(row))
            .executor(Runnable::run)
            .build();
  }

  private static int weight(BucketRow row) {
    byte[] state = row.state();
    return 1 + (state == null ? 0 : state.length / BYTES_OF_WEIGHT);
  }

  BucketRow find(byte[] key) {
    BucketRow known = rows.getIfPresent(ByteBuffer.wrap(key));
    return known == null ? BucketRow.NONE : known;
  }

  void learn(byte[] key, BucketRow row) {
    if (row.version() == 0) {
      forget(key);
    } else {
      rows.put(ByteBuffer.wrap(key), row);
    }
  }

  void forget(byte[] key) {
    rows.invalidate(ByteBuffer.wrap(key));
  }
}
