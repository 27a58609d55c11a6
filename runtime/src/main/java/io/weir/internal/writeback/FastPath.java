package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * What a wish is told by what is at hand and what is known of its bucket: the lease, and what the
 * store said last.
 *
 * <p>With many callers the decision of a request is mostly a way through memory that no cache
 * holds. So all that it needs lies here, which is the first part of an {@link ActiveBucket} and not
 * another object: whose bucket it is, the lease, the sight. {@link LeaseHolder} and {@link
 * StoreView} write it, under the entry's lock.
 *
 * <p>Reading is safe for concurrent use, without locks.
 */
abstract class FastPath {
  /** The stamp of permits that were borrowed; no store gives it. */
  static final long BORROWED = Long.MIN_VALUE;

  private static final CachedRefusal[] NONE = {};

  // What the bucket says, once more: to compare it there would be another step.
  private final int hash;
  private final String key;
  private final BucketSpec spec;
  private volatile Lease lease = Lease.NONE;
  private volatile StoreSnapshot sight;
  private volatile CachedRefusal[] refusals = NONE;

  /** Whether somebody waits, who comes first then. */
  private volatile boolean crowded;

  FastPath(BucketId bucket, StoreSnapshot last) {
    hash = bucket.hashCode();
    key = bucket.encodedKey();
    spec = bucket.spec();
    sight = last;
  }

  /** Whether these are about the bucket of a shape and a key, whose hash is this. */
  @SuppressWarnings("ReferenceEquality") // mostly it is the same shape
  final boolean areOf(BucketSpec otherSpec, Key otherKey, int otherHash) {
    return hash == otherHash
        && key.equals(otherKey.encoded())
        && (spec == otherSpec || spec.equals(otherSpec));
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

  StoreSnapshot sight() {
    return sight;
  }

  void saw(StoreSnapshot last) {
    sight = last;
  }

  CachedRefusal[] refusals() {
    return refusals;
  }

  void refuses(CachedRefusal[] known) {
    refusals = known.length == 0 ? NONE : known;
  }

  /** Admits a request by the lease, unless others have waited longer. */
  final @Nullable Decision admit(RequestTerms requestTerms, Key key, long now) {
    Lease held = lease;
    StoreSnapshot seen = sight;
    // All is read before the spending: that waits for what was read before it and holds up what is
    // read after it, so that both come from memory at the same time.
    long stores = stores(requestTerms, seen);
    long reset = seen.reset(now);
    long left = crowded ? Lease.NOTHING : held.spend(requestTerms.permits(), now);
    return left == Lease.NOTHING
        ? null
        : requestTerms.admit(
            key, Math.min(requestTerms.burst(), left + stores), reset, held.stamp());
  }

  /** Whether a request could be admitted by the lease, unless another is faster. */
  final boolean wouldAdmit(RequestTerms requestTerms, long now) {
    return !crowded && lease.held(now) >= requestTerms.permits();
  }

  /** Puts back what a request got a moment ago; false if that lease has ended. */
  final boolean unspend(long stamp, long permits, long now) {
    Lease held = lease;
    return held.stamp() == stamp && held.unspend(permits, now);
  }

  /** Spends from the lease for a request. */
  @Nullable Grant spend(RequestTerms requestTerms, long now) {
    Lease held = lease;
    boolean spent = held.spend(requestTerms.permits(), now) != Lease.NOTHING;
    return spent ? granted(requestTerms, held, now) : null;
  }

  /** The same for a request that is counted otherwise; needs the entry's lock. */
  final @Nullable Grant take(RequestTerms requestTerms, long now) {
    Lease held = lease;
    return held.take(requestTerms.permits(), now) ? granted(requestTerms, held, now) : null;
  }

  private Grant granted(RequestTerms requestTerms, Lease held, long now) {
    return granted(requestTerms, held.stamp(), held.endsAt() - now, now);
  }

  /** The answer to a wish that is met ahead of the store. */
  Grant lent(RequestTerms requestTerms, long now) {
    return granted(requestTerms, BORROWED, 0, now);
  }

  private Grant granted(RequestTerms requestTerms, long stamp, long life, long now) {
    return Grant.builder()
        .granted(requestTerms.permits(), stamp, life)
        .left(left(requestTerms, now))
        .reset(sight.reset(now))
        .build();
  }

  /** Until when what this answer grants may be spent. */
  static long endsAt(Grant answer, long now) {
    boolean ends = answer.permits() > 0 && answer.stamp() != BORROWED;
    return ends ? NodeClock.after(now, answer.life()) : NodeClock.NEVER;
  }

  /** Why it is known not to be there. A lease that lives is spent first. */
  @Nullable CachedRefusal refusal(RequestTerms requestTerms, long now) {
    long missing = requestTerms.permits() - lease.held(now);
    return missing <= 0 ? null : refusal(requestTerms, missing, now);
  }

  /** The refusal that answers a wish that lacks so many permits, if its answer is known. */
  private @Nullable CachedRefusal refusal(RequestTerms requestTerms, long missing, long now) {
    boolean refused = false;
    CachedRefusal best = null;
    for (CachedRefusal each : refusals) {
      if (now < each.until()) {
        refused |= each.refuses(requestTerms, missing);
        boolean sooner = best == null || each.retryAt() < best.retryAt();
        best = each.promises(requestTerms, missing) && sooner ? each : best;
      }
    }
    // Without a promise the caller couldn't be told when to come again, so the store is asked.
    return refused ? best : null;
  }

  /** Whether a wish is refused that lacks so many, whenever it may be granted. */
  private boolean refuses(RequestTerms requestTerms, long missing, long now) {
    for (CachedRefusal each : refusals) {
      if (now < each.until() && each.refuses(requestTerms, missing)) {
        return true;
      }
    }
    return false;
  }

  /** Refuses what is known not to be there. */
  @Nullable Grant refuse(RequestTerms requestTerms, long now) {
    CachedRefusal refusal = refusal(requestTerms, now);
    return refusal == null
        ? null
        : Grant.refused(tooFew(requestTerms, now), refusal.retry(now), refusal.reset(now));
  }

  /** The same as a decision. */
  Decision refuse(CachedRefusal refusal, RequestTerms requestTerms, Key key, long now) {
    return requestTerms.refuse(
        key, tooFew(requestTerms, now), refusal.reset(now), refusal.retry(now));
  }

  /** Whether it is known not to be there, whenever it will be. */
  boolean lacks(RequestTerms requestTerms, long now) {
    long missing = requestTerms.permits() - lease.held(now);
    return missing > 0 && refuses(requestTerms, missing, now);
  }

  /**
   * Refuses what isn't there although nobody knows when it will be: a window later at the latest.
   */
  @Nullable Grant refuseForAWindow(RequestTerms requestTerms, long now) {
    if (!lacks(requestTerms, now)) {
      return null;
    }
    return Grant.refused(tooFew(requestTerms, now), longest(requestTerms), sight.reset(now));
  }

  /**
   * Refuses what the store said isn't there, until time alone can have changed that. It is asked
   * again sooner than that, since others may give back; but where it can't be asked, this is known.
   */
  final @Nullable Grant knownEmpty(RequestTerms requestTerms, long now) {
    long missing = requestTerms.permits() - lease.held(now);
    StoreSnapshot seen = sight;
    long left = seen.left(requestTerms.burst());
    boolean tooFew = missing > left && now < seen.resetAt();
    long retry = tooFew ? missing <= left + 1 ? seen.reset(now) : longest(requestTerms) : 0;
    for (CachedRefusal each : refusals) {
      if (now < each.retryAt() && each.refuses(requestTerms, missing)) {
        retry =
            Math.max(
                retry,
                each.promises(requestTerms, missing) ? each.retry(now) : longest(requestTerms));
      }
    }
    return retry == 0 ? null : Grant.refused(tooFew(requestTerms, now), retry, retry);
  }

  /**
   * Refuses what is more than this node's part of what the store had left a moment ago.
   *
   * @param nodes among how many nodes that is divided
   * @param untold permits that were spent and that the store didn't know of then
   * @param fresh for how long what it said holds, if it doesn't say so itself
   */
  final @Nullable Grant beyondPart(
      RequestTerms requestTerms, int nodes, long untold, long fresh, long now) {
    StoreSnapshot seen = sight;
    // What was left of a fixed window says nothing of the next one, nor of any a window later.
    boolean fixed = spec.algorithm() == Algorithm.FIXED_WINDOW;
    long freshUntil = NodeClock.after(seen.at(), Math.min(fresh, spec.windowMicros()));
    freshUntil = fixed ? Math.min(freshUntil, seen.resetAt()) : freshUntil;
    long until = Math.max(freshUntil, seen.resetAt());
    long left = seen.left(requestTerms.burst()) + (now < seen.resetAt() ? 0 : 1);
    // A store that answered a moment ago goes on giving the others what it has left.
    long parts = now < freshUntil ? 4L * nodes - 3 : nodes;
    long part = (left + parts - 1) / parts - untold;
    return now >= until || seen.reset(seen.at()) == 0 || requestTerms.permits() <= part
        ? null
        : Grant.refused(Math.max(0, part), until - now, until - now);
  }

  private static long longest(RequestTerms requestTerms) {
    return requestTerms.policy().spec().windowMicros();
  }

  /** What a wish is told that takes nothing. */
  Grant left(RequestTerms requestTerms, long now, long storesLeft, long retry) {
    long left = Math.min(requestTerms.burst(), lease.held(now) + storesLeft);
    return Grant.refused(left, left >= requestTerms.permits() ? 0 : retry, sight.reset(now));
  }

  /** What a wish is told that isn't taken, because another of its request is refused. */
  Grant passedOver(RequestTerms requestTerms, long now) {
    return Grant.refused(left(requestTerms, now), 0, sight.reset(now));
  }

  /** The answer to a look of a caller, if it is known. */
  @Nullable Grant peek(RequestTerms requestTerms, long now, long fresh) {
    Grant refusal = refuse(requestTerms, now);
    StoreSnapshot seen = sight;
    boolean known = now - seen.at() < fresh || lease.held(now) > 0;
    boolean enough = known && left(requestTerms, now) >= requestTerms.permits();
    return refusal == null && enough ? passedOver(requestTerms, now) : refusal;
  }

  // Others may have put some back since it was refused.
  private long tooFew(RequestTerms requestTerms, long now) {
    return Math.min(left(requestTerms, now), requestTerms.permits() - 1);
  }

  private long left(RequestTerms requestTerms, long now) {
    return Math.min(requestTerms.burst(), lease.held(now) + stores(requestTerms, sight));
  }

  private static long stores(RequestTerms requestTerms, StoreSnapshot seen) {
    return Math.min(requestTerms.burst(), seen.left(requestTerms.burst()));
  }
}
