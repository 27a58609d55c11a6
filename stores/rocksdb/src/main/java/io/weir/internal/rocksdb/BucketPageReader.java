package io.weir.internal.rocksdb;

import io.weir.Key;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.BucketPage;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.ScannedBucket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;

/**
 * Reads one page of the buckets of a policy, which are neighbours in each generation.
 *
 * <p>A page ends early after many expired buckets, so that claims don't wait long for it. Runs in
 * the writing thread.
 */
final class BucketPageReader {
  private static final int NAME = 16;
  private static final int MAX_VISITED = 10_000;

  private final BucketSpec spec;
  private final long limit;
  private final byte[] after;
  private final int most;
  private int visited;

  /**
   * Prepares a page.
   *
   * @param after the last name of the previous page; empty to begin with the first bucket
   */
  BucketPageReader(BucketSpec spec, long limit, byte[] after, int most) {
    this.spec = spec;
    this.limit = limit;
    this.after = after;
    this.most = most;
  }

  /**
   * Reads a position.
   *
   * @throws IllegalArgumentException if the text isn't a position
   */
  static byte[] position(String text) {
    byte[] name = Base64.getUrlDecoder().decode(text);
    if (name.length != 0 && name.length != NAME) {
      throw new IllegalArgumentException("not the position of a bucket");
    }
    return name;
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
    List<ScannedBucket> buckets = new ArrayList<>();
    found.forEach((name, value) -> add(buckets, arithmetic, name, value, now));
    return new BucketPage(buckets, last[0] == null ? "" : text(last[0]));
  }

  private static byte[] lower(byte[] one, byte[] other) {
    return one == null || Arrays.compareUnsigned(other, one) < 0 ? other : one;
  }

  private static String text(byte[] name) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(name);
  }

  private void add(
      List<ScannedBucket> buckets,
      BucketArithmetic arithmetic,
      byte[] name,
      byte[] value,
      long now) {
    BucketId any =
        new BucketId(spec, Key.nobody()); // the key isn't known, and a peek doesn't need it
    Claim peek = Claim.peek(any, 1, limit, spec.burstFor(limit));
    CalendarWindow windows = spec.calendar().orElse(null);
    if (windows != null) {
      peek = peek.inWindow(Math.max(0, windows.opens(now)), windows.closes(now));
    }
    try {
      byte[] bytes = StoredBucket.bytes(value, now).orElse(null);
      Grant grant = arithmetic.execute(bytes, peek, now).grant();
      buckets.add(new ScannedBucket(text(name), grant.left(), grant.reset()));
    } catch (BucketFormatException unreadable) {
      // reported by the next claim on it
    }
  }
}
