package io.weir.internal.inprocess;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Holds all free permits of a bucket for as long as time alone changes nothing: until then each
 * decision only takes some out, which needs no lock.
 *
 * <p>An allowance is closed once, and the permits taken from it are then charged to the bucket, to
 * the slot of time in which it was opened, before the bucket executes anything else.
 *
 * <p>Safe for concurrent use, without locks.
 */
final class LockFreeAllowance {
  private static final long CLOSED = -1;
  private static final AtomicLongFieldUpdater<LockFreeAllowance> LEFT =
      AtomicLongFieldUpdater.newUpdater(LockFreeAllowance.class, "left");

  private final long from;
  private final long until;
  private final long resetAt;
  private final long stamp;
  private final long effectiveLimit;
  private final long burst;
  private final long filled;
  private volatile long left;

  LockFreeAllowance(Claim claim, Grant grant, long from, long until) {
    this.from = from;
    this.until = until;
    this.resetAt = from + grant.reset();
    this.stamp = grant.stamp();
    this.effectiveLimit = claim.effectiveLimit();
    this.burst = claim.burst();
    this.filled = grant.left();
    this.left = filled;
  }

  /** Returns whether time has changed nothing yet. */
  boolean lastsAt(long clock) {
    return clock < until;
  }

  /** Returns whether a request would be admitted, unless another thread is faster. */
  boolean wouldAdmit(RequestTerms terms, long clock) {
    return isFor(terms, clock) && left >= terms.permits();
  }

  private boolean isFor(RequestTerms terms, long clock) {
    return lastsAt(clock) && terms.effectiveLimit() == effectiveLimit && terms.burst() == burst;
  }

  /** Admits a request; null if it isn't for this allowance to decide. */
  @Nullable Decision decide(RequestTerms terms, Key key, long clock) {
    if (!isFor(terms, clock)) {
      return null;
    }
    long now = Math.max(from, clock); // time in a bucket never runs backwards
    while (true) {
      long before = left;
      long after = before - terms.permits();
      if (after < 0) {
        return null;
      }
      if (LEFT.compareAndSet(this, before, after)) {
        return RequestDecision.admit(terms, key, after, resetAt - now, stamp);
      }
    }
  }

  /** Closes this and returns a claim that charges the permits taken. */
  Claim close(BucketId bucket) {
    long taken = filled - LEFT.getAndSet(this, CLOSED);
    return Claim.builder(bucket, effectiveLimit, burst).debt(taken).build();
  }
}
