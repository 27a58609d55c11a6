package io.weir.writeback;

import io.weir.store.Grant;
import io.weir.store.Wish;
import org.jspecify.annotations.Nullable;

/**
 * What a wish is told by what is at hand and what is known of its bucket.
 *
 * <p>Safe for concurrent use, without locks.
 *
 * @param stock what is at hand
 * @param heard what is known
 */
record Answers(Stock stock, Heard heard) {
  /** The stamp of permits that were borrowed; no store gives it. */
  static final long BORROWED = Long.MIN_VALUE;

  /** Spends from the lease. */
  @Nullable Grant spend(Wish wish, long now) {
    Lease lease = stock.lease();
    boolean spent = lease.spend(wish.permits(), now);
    return spent ? granted(wish, lease.stamp(), lease.endsAt() - now, now) : null;
  }

  /** The answer to a wish that is met ahead of the store. */
  Grant lent(Wish wish, long now) {
    return granted(wish, BORROWED, 0, now);
  }

  private Grant granted(Wish wish, long stamp, long life, long now) {
    return new Grant(wish.permits(), stamp, life, left(wish, now), 0, heard.reset(now));
  }

  /** Until when what this answer grants may be spent. */
  static long endsAt(Grant answer, long now) {
    boolean ends = answer.permits() > 0 && answer.stamp() != BORROWED;
    return ends ? NodeClock.after(now, answer.life()) : NodeClock.NEVER;
  }

  /** Refuses what is known not to be there. A lease that lives is spent first. */
  @Nullable Grant refuse(Wish wish, long now) {
    long missing = wish.permits() - stock.lease().held(now);
    Refusal refusal = missing <= 0 ? null : heard.refusal(wish, missing, now);
    if (refusal == null) {
      return null;
    }
    long left = Math.min(left(wish, now), wish.permits() - 1);
    long retry = Math.max(1, refusal.retryAt() - now);
    return new Grant(0, 0, 0, left, retry, Math.max(1, refusal.resetAt() - now));
  }

  /** Whether it is known not to be there, whenever it will be. */
  boolean lacks(Wish wish, long now) {
    long missing = wish.permits() - stock.lease().held(now);
    return missing > 0 && heard.refuses(wish, missing, now);
  }

  /**
   * Refuses what isn't there although nobody knows when it will be: a window later at the latest.
   */
  @Nullable Grant refuseForAWindow(Wish wish, long now) {
    if (!lacks(wish, now)) {
      return null;
    }
    long left = Math.min(left(wish, now), wish.permits() - 1);
    return new Grant(0, 0, 0, left, wish.bucket().shape().windowMicros(), heard.reset(now));
  }

  /** What a wish is told that takes nothing. */
  Grant left(Wish wish, long now, long storesLeft, long retry) {
    long left = Math.min(wish.burst(), stock.lease().held(now) + storesLeft);
    return new Grant(0, 0, 0, left, left >= wish.permits() ? 0 : retry, heard.reset(now));
  }

  /** What a wish is told that isn't taken, because another of its request is refused. */
  Grant passedOver(Wish wish, long now) {
    return new Grant(0, 0, 0, left(wish, now), 0, heard.reset(now));
  }

  /** The answer to a look of a caller, if it is known. */
  @Nullable Grant peek(Wish wish, long now, long fresh) {
    Grant refusal = refuse(wish, now);
    Sight seen = heard.sight();
    boolean known = seen != null && (now - seen.at() < fresh || stock.lease().held(now) > 0);
    boolean enough = known && left(wish, now) >= wish.permits();
    return refusal == null && enough ? passedOver(wish, now) : refusal;
  }

  private long left(Wish wish, long now) {
    return Math.min(wish.burst(), stock.lease().held(now) + heard.left(wish));
  }
}
