package io.weir.internal.store;

import io.weir.Key;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.BucketPage;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.ScannableStore;
import io.weir.store.ScannedBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes a page of the buckets of a policy out of their bytes.
 *
 * <p>Confine to one thread.
 */
public final class ScannedBuckets {
  private final BucketArithmetic arithmetic;
  private final Claim peek;
  private final long now;
  private final List<ScannedBucket> buckets = new ArrayList<>();

  /**
   * Begins a page.
   *
   * @param limit the effective limit for which the buckets are shown
   * @param now the store's time, in microseconds since the epoch
   */
  public ScannedBuckets(BucketArithmetic arithmetic, BucketSpec spec, long limit, long now) {
    this.arithmetic = arithmetic;
    this.now = now;
    BucketId any = new BucketId(spec, Key.nobody()); // the key isn't known; a peek needs none
    Claim claim = Claim.peek(any, 1, limit, spec.burstFor(limit));
    CalendarWindow windows = spec.calendar().orElse(null);
    this.peek =
        windows == null
            ? claim
            : claim.inWindow(Math.max(0, windows.opens(now)), windows.closes(now));
  }

  /**
   * Checks how many buckets a page may have.
   *
   * @throws IllegalArgumentException unless it is 1 to {@link ScannableStore#MAX_SCANNED}
   */
  public static void requireMost(int most) {
    if (most < 1 || most > ScannableStore.MAX_SCANNED) {
      throw new IllegalArgumentException("1 to 1,000 buckets can be scanned, not " + most);
    }
  }

  /**
   * Adds a bucket, unless it can't be read: the next claim on it reports that.
   *
   * @param name see {@link BucketNames}
   */
  public void add(byte[] name, byte[] state) {
    add(name, id -> state);
  }

  /**
   * Adds a bucket whose bytes are still to be made.
   *
   * @param state from an id without its key; null for a fresh bucket
   */
  public void add(byte[] name, Function<BucketId, byte @Nullable []> state) {
    try {
      Grant grant = arithmetic.execute(state.apply(peek.bucket()), peek, now).grant();
      buckets.add(new ScannedBucket(BucketNames.text(name), grant.left(), grant.reset()));
    } catch (BucketFormatException unreadable) {
      // see above
    }
  }

  /**
   * Ends the page.
   *
   * @param last the name after which the next one begins; empty if this is the last page
   */
  public BucketPage page(byte[] last) {
    return new BucketPage(buckets, BucketNames.text(last));
  }
}
