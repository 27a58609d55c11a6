package io.weir.inprocess;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * All permits that a bucket has free, for as long as time alone changes nothing: until then each
 * decision only takes some out, which needs no lock.
 *
 * <p>A till is closed once, and what was taken from it is charged to the bucket then, to the slot
 * of time in which it was opened, before the bucket is asked anything else.
 *
 * <p>Safe for concurrent use, without locks.
 */
final class Till {
  private static final long CLOSED = -1;
  private static final AtomicLongFieldUpdater<Till> LEFT =
      AtomicLongFieldUpdater.newUpdater(Till.class, "left");

  private final long from;
  private final long until;
  private final long resetAt;
  private final long stamp;
  private final long capacity;
  private final long burst;
  private final long filled;
  private volatile long left;

  /** Opens with what a grant left. */
  Till(Claim claim, Grant grant, long from, long until) {
    this.from = from;
    this.until = until;
    this.resetAt = from + grant.reset();
    this.stamp = grant.stamp();
    this.capacity = claim.capacity();
    this.burst = claim.burst();
    this.filled = grant.left();
    this.left = filled;
  }

  /** Whether a request could be admitted, unless another is faster. */
  boolean wouldAdmit(Offer offer, long clock) {
    return isFor(offer, clock) && left >= offer.permits();
  }

  private boolean isFor(Offer offer, long clock) {
    return clock < until && offer.capacity() == capacity && offer.burst() == burst;
  }

  /** Admits a request; null if it isn't for this till to decide. */
  @Nullable Decision decide(Offer offer, Key key, long clock) {
    if (!isFor(offer, clock)) {
      return null;
    }
    long now = Math.max(from, clock); // time in a bucket never runs back
    while (true) {
      long before = left;
      long after = before - offer.permits();
      if (after < 0) {
        return null;
      }
      if (LEFT.compareAndSet(this, before, after)) {
        return offer.admit(key, after, resetAt - now, stamp);
      }
    }
  }

  /** Closes this; what is to be charged for it. */
  Claim close(Bucket bucket) {
    long taken = filled - LEFT.getAndSet(this, CLOSED);
    return new Claim(bucket, 0, 0, 0, List.of(), taken, capacity, burst);
  }
}
