package io.weir.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.store.Grant;
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

  /** Admits by the lease. */
  @Nullable Decision admit(Offer offer, Key key, long now) {
    Lease lease = stock.lease();
    boolean spent = lease.spend(offer.permits(), now);
    return spent ? offer.admit(key, left(offer, now), heard.reset(now), lease.stamp()) : null;
  }

  /** Spends from the lease. */
  @Nullable Grant spend(Offer offer, long now) {
    Lease lease = stock.lease();
    boolean spent = lease.spend(offer.permits(), now);
    return spent ? granted(offer, lease.stamp(), lease.endsAt() - now, now) : null;
  }

  /** The answer to a wish that is met ahead of the store. */
  Grant lent(Offer offer, long now) {
    return granted(offer, BORROWED, 0, now);
  }

  private Grant granted(Offer offer, long stamp, long life, long now) {
    return new Grant(offer.permits(), stamp, life, left(offer, now), 0, heard.reset(now));
  }

  /** Until when what this answer grants may be spent. */
  static long endsAt(Grant answer, long now) {
    boolean ends = answer.permits() > 0 && answer.stamp() != BORROWED;
    return ends ? NodeClock.after(now, answer.life()) : NodeClock.NEVER;
  }

  /** Why it is known not to be there. A lease that lives is spent first. */
  @Nullable Refusal refusal(Offer offer, long now) {
    long missing = offer.permits() - stock.lease().held(now);
    return missing <= 0 ? null : heard.refusal(offer, missing, now);
  }

  /** Refuses what is known not to be there. */
  @Nullable Grant refuse(Offer offer, long now) {
    Refusal refusal = refusal(offer, now);
    return refusal == null
        ? null
        : new Grant(0, 0, 0, tooFew(offer, now), refusal.retry(now), refusal.reset(now));
  }

  /** The same as a decision. */
  Decision refuse(Refusal refusal, Offer offer, Key key, long now) {
    return offer.refuse(key, tooFew(offer, now), refusal.reset(now), refusal.retry(now));
  }

  /** Whether it is known not to be there, whenever it will be. */
  boolean lacks(Offer offer, long now) {
    long missing = offer.permits() - stock.lease().held(now);
    return missing > 0 && heard.refuses(offer, missing, now);
  }

  /**
   * Refuses what isn't there although nobody knows when it will be: a window later at the latest.
   */
  @Nullable Grant refuseForAWindow(Offer offer, long now) {
    if (!lacks(offer, now)) {
      return null;
    }
    long retry = offer.policy().shape().windowMicros();
    return new Grant(0, 0, 0, tooFew(offer, now), retry, heard.reset(now));
  }

  /** What a wish is told that takes nothing. */
  Grant left(Offer offer, long now, long storesLeft, long retry) {
    long left = Math.min(offer.burst(), stock.lease().held(now) + storesLeft);
    return new Grant(0, 0, 0, left, left >= offer.permits() ? 0 : retry, heard.reset(now));
  }

  /** What a wish is told that isn't taken, because another of its request is refused. */
  Grant passedOver(Offer offer, long now) {
    return new Grant(0, 0, 0, left(offer, now), 0, heard.reset(now));
  }

  /** The answer to a look of a caller, if it is known. */
  @Nullable Grant peek(Offer offer, long now, long fresh) {
    Grant refusal = refuse(offer, now);
    Sight seen = heard.sight();
    boolean known = now - seen.at() < fresh || stock.lease().held(now) > 0;
    boolean enough = known && left(offer, now) >= offer.permits();
    return refusal == null && enough ? passedOver(offer, now) : refusal;
  }

  // Others may have put some back since it was refused.
  private long tooFew(Offer offer, long now) {
    return Math.min(left(offer, now), offer.permits() - 1);
  }

  private long left(Offer offer, long now) {
    return Math.min(offer.burst(), stock.lease().held(now) + heard.left(offer));
  }
}
