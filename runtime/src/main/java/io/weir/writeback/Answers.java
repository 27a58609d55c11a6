package io.weir.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * What a wish is told by what is at hand and what is known of its bucket: the lease, and what the
 * store said last.
 *
 * <p>With many callers the decision of a request is mostly a way through memory that no cache
 * holds, so all that it needs lies here, one step from the entry. {@link Stock} and {@link Heard}
 * write it, under the entry's lock.
 *
 * <p>Reading is safe for concurrent use, without locks.
 */
final class Answers {
  /** The stamp of permits that were borrowed; no store gives it. */
  static final long BORROWED = Long.MIN_VALUE;

  private static final Refusal[] NONE = {};

  private volatile Lease lease = Lease.NONE;
  private volatile Sight sight;
  private volatile Refusal[] refusals = NONE;

  Answers(Sight last) {
    sight = last;
  }

  Lease lease() {
    return lease;
  }

  void lease(Lease next) {
    lease = next;
  }

  Sight sight() {
    return sight;
  }

  void saw(Sight last) {
    sight = last;
  }

  Refusal[] refusals() {
    return refusals;
  }

  void refuses(Refusal[] known) {
    refusals = known.length == 0 ? NONE : known;
  }

  /** Admits by the lease. */
  @Nullable Decision admit(Offer offer, Key key, long now) {
    Lease held = lease;
    if (!held.spend(offer.permits(), now)) {
      return null;
    }
    held.note(offer.permits());
    Sight seen = sight;
    return offer.admit(key, left(offer, held, seen, now), seen.reset(now), held.stamp());
  }

  /** Spends from the lease. */
  @Nullable Grant spend(Offer offer, long now) {
    Lease held = lease;
    boolean spent = held.spend(offer.permits(), now);
    return spent ? granted(offer, held.stamp(), held.endsAt() - now, now) : null;
  }

  /** The answer to a wish that is met ahead of the store. */
  Grant lent(Offer offer, long now) {
    return granted(offer, BORROWED, 0, now);
  }

  private Grant granted(Offer offer, long stamp, long life, long now) {
    return new Grant(offer.permits(), stamp, life, left(offer, now), 0, sight.reset(now));
  }

  /** Until when what this answer grants may be spent. */
  static long endsAt(Grant answer, long now) {
    boolean ends = answer.permits() > 0 && answer.stamp() != BORROWED;
    return ends ? NodeClock.after(now, answer.life()) : NodeClock.NEVER;
  }

  /** Why it is known not to be there. A lease that lives is spent first. */
  @Nullable Refusal refusal(Offer offer, long now) {
    long missing = offer.permits() - lease.held(now);
    return missing <= 0 ? null : refusal(offer, missing, now);
  }

  /** The refusal that answers a wish that lacks so many permits, if its answer is known. */
  private @Nullable Refusal refusal(Offer offer, long missing, long now) {
    boolean refused = false;
    Refusal best = null;
    for (Refusal each : refusals) {
      if (now < each.until()) {
        refused |= each.refuses(offer, missing);
        boolean sooner = best == null || each.retryAt() < best.retryAt();
        best = each.promises(offer, missing) && sooner ? each : best;
      }
    }
    // Without a promise the caller couldn't be told when to come again, so the store is asked.
    return refused ? best : null;
  }

  /** Whether a wish is refused that lacks so many, whenever it may be granted. */
  private boolean refuses(Offer offer, long missing, long now) {
    for (Refusal each : refusals) {
      if (now < each.until() && each.refuses(offer, missing)) {
        return true;
      }
    }
    return false;
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
    long missing = offer.permits() - lease.held(now);
    return missing > 0 && refuses(offer, missing, now);
  }

  /**
   * Refuses what isn't there although nobody knows when it will be: a window later at the latest.
   */
  @Nullable Grant refuseForAWindow(Offer offer, long now) {
    if (!lacks(offer, now)) {
      return null;
    }
    long retry = offer.policy().shape().windowMicros();
    return new Grant(0, 0, 0, tooFew(offer, now), retry, sight.reset(now));
  }

  /** What a wish is told that takes nothing. */
  Grant left(Offer offer, long now, long storesLeft, long retry) {
    long left = Math.min(offer.burst(), lease.held(now) + storesLeft);
    return new Grant(0, 0, 0, left, left >= offer.permits() ? 0 : retry, sight.reset(now));
  }

  /** What a wish is told that isn't taken, because another of its request is refused. */
  Grant passedOver(Offer offer, long now) {
    return new Grant(0, 0, 0, left(offer, now), 0, sight.reset(now));
  }

  /** The answer to a look of a caller, if it is known. */
  @Nullable Grant peek(Offer offer, long now, long fresh) {
    Grant refusal = refuse(offer, now);
    Sight seen = sight;
    boolean known = now - seen.at() < fresh || lease.held(now) > 0;
    boolean enough = known && left(offer, now) >= offer.permits();
    return refusal == null && enough ? passedOver(offer, now) : refusal;
  }

  // Others may have put some back since it was refused.
  private long tooFew(Offer offer, long now) {
    return Math.min(left(offer, now), offer.permits() - 1);
  }

  private long left(Offer offer, long now) {
    return left(offer, lease, sight, now);
  }

  private static long left(Offer offer, Lease held, Sight seen, long now) {
    long store = Math.min(offer.burst(), seen.left(offer.burst()));
    return Math.min(offer.burst(), held.held(now) + store);
  }
}
