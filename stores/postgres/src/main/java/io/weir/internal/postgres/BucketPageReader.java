package io.weir.internal.postgres;

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
import java.util.List;

/**
 * Makes a page of the buckets of a policy out of their rows.
 *
 * <p>Immutable.
 */
final class BucketPageReader {
  private final BucketArithmetic arithmetic;
  private final Claim peek;
  private final long now;

  BucketPageReader(BucketArithmetic arithmetic, BucketSpec spec, long limit, long now) {
    this.arithmetic = arithmetic;
    this.now = now;
    BucketId any = new BucketId(spec, Key.nobody()); // a peek doesn't need the key
    Claim claim = Claim.peek(any, 1, limit, spec.burstFor(limit));
    CalendarWindow windows = spec.calendar().orElse(null);
    this.peek =
        windows == null
            ? claim
            : claim.inWindow(Math.max(0, windows.opens(now)), windows.closes(now));
  }

  /** Returns the key after which a page begins. */
  static byte[] start(byte[] prefix, byte[] after) {
    return ByteBuffer.allocate(prefix.length + after.length).put(prefix).put(after).array();
  }

  /**
   * Makes a page.
   *
   * @param rows the next ones, at most as many as were asked for
   * @param most the number that was asked for
   */
  BucketPage page(List<BucketTable.KeyedRow> rows, int most) {
    List<ScannedBucket> buckets = new ArrayList<>();
    for (BucketTable.KeyedRow each : rows) {
      byte[] state = each.row().stateAt(now);
      if (state != null) {
        add(buckets, each.key(), state);
      }
    }
    String next = rows.size() < most ? "" : BucketKeyEncoder.name(rows.get(rows.size() - 1).key());
    return new BucketPage(buckets, next);
  }

  private void add(List<ScannedBucket> buckets, byte[] key, byte[] state) {
    try {
      Grant grant = arithmetic.execute(state, peek, now).grant();
      buckets.add(new ScannedBucket(BucketKeyEncoder.name(key), grant.left(), grant.reset()));
    } catch (BucketFormatException unreadable) {
      // reported by the next claim on it
    }
  }
}
