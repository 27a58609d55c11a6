package io.weir.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Offer;
import io.weir.Shape;
import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * What a wish is told by what is at hand and what is known of its bucket: the lease, and what the
 * store said last.
 *
 * <p>With many callers the decision of a request is mostly a way through memory that no cache
 * holds. So all that it needs lies here, which is the first part of an {@link Entry} and not
 * another object: whose bucket it is, the lease, the sight. {@link Stock} and {@link Heard} write
 * it, under the entry's lock.
 *
 * <p>Reading is safe for concurrent use, without locks.
 */
abstract class Answers {
  /** The stamp of permits that were borrowed; no store gives it. */
  static final long BORROWED = Long.MIN_VALUE;

  private static final Refusal[] NONE = {};

  // What the bucket says, once more: to compare it there would be another step.
  private final int hash;
  private final String key;
  private final Shape shape;
  private volatile Lease lease = Lease.NONE;
  private volatile Sight sight;
  private volatile Refusal[] refusals = NONE;

  /** Whether somebody waits, who comes first then. */
  private volatile boolean crowded;

  Answers(Bucket bucket, Sight last) {
    hash = bucket.hashCode();
    key = bucket.encodedKey();
    shape = bucket.shape();
    sight = last;
  }

  /** Whether these are about the bucket of a shape and a key, whose hash is this. */
  @SuppressWarnings("ReferenceEquality") // mostly it is the same shape
  final boolean areOf(Shape otherShape, Key otherKey, int otherHash) {
    return hash == otherHash
        && key.equals(otherKey.encoded())
        && (shape == otherShape || shape.equals(otherShape));
  }

  final boolean crowded() {
    return crowded;
  }

  final void crowded(boolean somebodyWaits) {
    crowded = somebodyWaits;
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

  /** Admits a request by the lease, unless others have waited longer. */
  final @Nullable Decision admit(Offer offer, Key key, long now) {
    Lease held = lease;
    Sight seen = sight;
    // All is read before the spending: that waits for what was read before it and holds up what is
    // read after it, so that both come from memory at the same time.
    long stores = stores(offer, seen);
    long reset = seen.reset(now);
    long left = crowded ? Lease.NOTHING : held.spend(offer.permits(), now);
    return left == Lease.NOTHING
        ? null
        : offer.admit(key, Math.min(offer.burst(), left + stores), reset, held.stamp());
  }

  /** Whether a request could be admitted by the lease, unless another is faster. */
  final boolean wouldAdmit(Offer offer, long now) {
    return !crowded && lease.held(now) >= offer.permits();
  }

  /** Puts back what a request got a moment ago; false if that lease has ended. */
  final boolean unspend(long stamp, long permits, long now) {
    Lease held = lease;
    return held.stamp() == stamp && held.unspend(permits, now);
  }

  /** Spends from the lease for a request. */
  @Nullable Grant spend(Offer offer, long now) {
    Lease held = lease;
    boolean spent = held.spend(offer.permits(), now) != Lease.NOTHING;
    return spent ? granted(offer, held, now) : null;
  }

  /** The same for a request that is counted otherwise; needs the entry's lock. */
  final @Nullable Grant take(Offer offer, long now) {
    Lease held = lease;
    return held.take(offer.permits(), now) ? granted(offer, held, now) : null;
  }

  private Grant granted(Offer offer, Lease held, long now) {
    return granted(offer, held.stamp(), held.endsAt() - now, now);
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
    return new Grant(0, 0, 0, tooFew(offer, now), longest(offer), sight.reset(now));
  }

  /**
   * Refuses what the store said isn't there, until time alone can have changed that. It is asked
   * again sooner than that, since others may give back; but where it can't be asked, this is known.
   */
  final @Nullable Grant knownEmpty(Offer offer, long now) {
    long missing = offer.permits() - lease.held(now);
    Sight seen = sight;
    long left = seen.left(offer.burst());
    boolean tooFew = missing > left && now < seen.resetAt();
    long retry = tooFew ? missing <= left + 1 ? seen.reset(now) : longest(offer) : 0;
    for (Refusal each : refusals) {
      if (now < each.retryAt() && each.refuses(offer, missing)) {
        retry = Math.max(retry, each.promises(offer, missing) ? each.retry(now) : longest(offer));
      }
    }
    return retry == 0 ? null : new Grant(0, 0, 0, tooFew(offer, now), retry, retry);
  }

  /**
   * Refuses what is more than this node's part of what the store had left a moment ago.
   *
   * @param nodes among how many nodes that is divided
   * @param untold permits that were spent and that the store didn't know of then
   * @param fresh for how long what it said holds, if it doesn't say so itself
   */
  final @Nullable Grant beyondPart(Offer offer, int nodes, long untold, long fresh, long now) {
    Sight seen = sight;
    // What was left of a fixed window says nothing of the next one, nor of any a window later.
    boolean fixed = shape.algorithm() == Algorithm.FIXED_WINDOW;
    long freshUntil = NodeClock.after(seen.at(), Math.min(fresh, shape.windowMicros()));
    freshUntil = fixed ? Math.min(freshUntil, seen.resetAt()) : freshUntil;
    long until = Math.max(freshUntil, seen.resetAt());
    long left = seen.left(offer.burst()) + (now < seen.resetAt() ? 0 : 1);
    // A store that answered a moment ago goes on giving the others what it has left.
    long parts = now < freshUntil ? 4L * nodes - 3 : nodes;
    long part = (left + parts - 1) / parts - untold;
    return now >= until || seen.reset(seen.at()) == 0 || offer.permits() <= part
        ? null
        : new Grant(0, 0, 0, Math.max(0, part), until - now, until - now);
  }

  private static long longest(Offer offer) {
    return offer.policy().shape().windowMicros();
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
    return Math.min(offer.burst(), lease.held(now) + stores(offer, sight));
  }

  private static long stores(Offer offer, Sight seen) {
    return Math.min(offer.burst(), seen.left(offer.burst()));
  }
}
