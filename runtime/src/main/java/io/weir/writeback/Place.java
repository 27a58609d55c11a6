package io.weir.writeback;

import io.weir.Offer;
import io.weir.store.Bucket;
import io.weir.store.Wish;
import org.jspecify.annotations.Nullable;

/**
 * Where a bucket is known at this node. While it is in use it has an entry; when nothing is held,
 * owed or under way any more, what is left is what a caller may still be told: how much of it was
 * used, when that comes back, and how patient and how deserving who asks now and then has been.
 *
 * <p>A node holds many buckets that were asked for once, and few that are in use at one moment. So
 * this is small, and an entry may take what it needs.
 *
 * <p>Invariant: one entry at a time; none any more once this is evicted.
 *
 * <p>Safe for concurrent use. Its monitor may be taken under that of an entry, never the other way.
 */
final class Place {
  private static final long LONG_AGO = Long.MIN_VALUE / 2;

  private final Bucket bucket;
  private volatile @Nullable Entry entry;
  private @Nullable Loan loan;
  private long resetAt = Long.MIN_VALUE;
  private int used;
  private byte earned;
  private byte backoff;
  private boolean evicted;

  Place(Bucket bucket) {
    this.bucket = bucket;
  }

  Bucket bucket() {
    return bucket;
  }

  /** The entry if the bucket is in use. */
  @Nullable Entry entry() {
    return entry;
  }

  /** The entry, made if the bucket wasn't in use; null if this is evicted. */
  synchronized @Nullable Entry open(Wish first, Node node) {
    Entry last = entry;
    if (last != null || evicted) {
      return last;
    }
    Sight recalled = recalled(first.offer());
    Entry opened = new Entry(this, first, node, recalled, backoff, loan, new Demand(earned));
    loan = null;
    entry = opened;
    node.busy().add(opened);
    return opened;
  }

  private Sight recalled(Offer offer) {
    long left = Math.max(0, offer.burst() - used);
    return new Sight(LONG_AGO, left, offer.capacity(), offer.burst(), resetAt);
  }

  /**
   * Lets the entry go and keeps what may be asked of it; false if this is evicted.
   *
   * @param flushes for how many the last refusal was remembered
   * @param requests how many have earned something
   */
  synchronized boolean rest(Sight seen, @Nullable Loan borrowed, long flushes, int requests) {
    if (evicted) {
      return false;
    }
    used = (int) Math.min(Integer.MAX_VALUE, Math.max(0, seen.burst() - seen.left()));
    resetAt = seen.resetAt() <= seen.at() ? Long.MIN_VALUE : seen.resetAt();
    loan = borrowed;
    backoff = (byte) flushes;
    earned = (byte) requests;
    entry = null;
    return true;
  }

  /** Leaves the cache, with the entry if there is one. */
  void evict(Overdraft overdraft) {
    Entry last = close(overdraft);
    if (last != null) {
      last.evict();
    }
  }

  private synchronized @Nullable Entry close(Overdraft overdraft) {
    evicted = true;
    if (loan != null) {
      overdraft.remember(bucket, loan.at());
    }
    return entry;
  }
}
