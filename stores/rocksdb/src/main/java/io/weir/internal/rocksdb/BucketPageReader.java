package io.weir.internal.rocksdb;

import io.weir.internal.store.ScannedBuckets;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketPage;
import io.weir.store.BucketSpec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * Reads one page of the buckets of a policy, which are neighbours in each generation.
 *
 * <p>A page ends early after many expired buckets, so that claims don't wait long for it. Runs in
 * the writing thread.
 */
final class BucketPageReader {
  private static final int MAX_VISITED = 10_000;

  private final BucketSpec spec;
  private final long limit;
  private final byte[] after;
  private final int most;
  private int visited;

  /**
   * Prepares the page that follows the last name of the previous one; the first page if {@code
   * after} is empty.
   */
  BucketPageReader(BucketSpec spec, long limit, byte[] after, int most) {
    this.spec = spec;
    this.limit = limit;
    this.after = after;
    this.most = most;
  }

  BucketPage run(
      BucketDatabase database, BucketKeyEncoder keys, BucketArithmetic arithmetic, long now) {
    byte[] prefix = keys.prefix(spec).orElse(null);
    if (prefix == null) {
      return BucketPage.EMPTY;
    }
    TreeMap<byte[], byte[]> found = new TreeMap<>(Arrays::compareUnsigned);
    byte[][] last = {null};
    database.visit(
        ByteBuffer.allocate(prefix.length + after.length).put(prefix).put(after).array(),
        (key, value) -> {
          byte[] name = Arrays.copyOfRange(key, prefix.length, key.length);
          boolean isOurs = Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
          if (!isOurs || last[0] != null && Arrays.compareUnsigned(name, last[0]) > 0) {
            return false;
          }
          if (Arrays.equals(name, after)) {
            return true;
          }
          visited++;
          if (StoredBucket.bytes(value, now).isPresent()) {
            found.put(name, value);
          }
          if (found.size() > most) {
            found.pollLastEntry();
            last[0] = found.lastKey();
          }
          if (visited % MAX_VISITED == 0) {
            last[0] = lower(last[0], name);
            found.tailMap(last[0], false).clear();
            return false;
          }
          return true;
        });
    ScannedBuckets buckets = new ScannedBuckets(arithmetic, spec, limit, now);
    found.forEach(
        (name, value) ->
            StoredBucket.bytes(value, now).ifPresent(bytes -> buckets.add(name, bytes)));
    return buckets.page(last[0] == null ? new byte[0] : last[0]);
  }

  private static byte[] lower(byte[] one, byte[] other) {
    return one == null || Arrays.compareUnsigned(other, one) < 0 ? other : one;
  }
}
