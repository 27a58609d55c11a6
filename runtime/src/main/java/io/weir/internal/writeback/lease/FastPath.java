package io.weir.internal.writeback.lease;

import io.weir.Decision;
import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Grant;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests of one bucket without a lock: from the lease, or from the store's last answers.
 *
 * <p>A superclass only to save memory accesses. With many callers the time of a decision is mostly
 * spent waiting for memory that no CPU cache holds, so everything that a decision reads lies in one
 * object: this is the first part of an active bucket, not an object beside it. {@link LeaseHolder}
 * writes the lease, {@link CachedAnswers} the snapshot and the refusals, both under the bucket's
 * lock.
 *
 * <p>Reading is safe for concurrent use, without locks.
 */
public abstract class FastPath {
  /** The stamp of borrowed permits, which no store uses. */
  public static final long BORROWED = Long.MIN_VALUE;

  /**
   * The number of flushes after an answer for which a lease may stand for what the store has left.
   */
  private static final int LEASED = 10;

  static final CachedRefusal[] NONE = {};

  // Copies from the bucket's id: comparing with the id would read one more object.
  private final int hash;
  private final String key;
  private final BucketSpec spec;
  private volatile Lease lease = Lease.NONE;
  private volatile BucketSnapshot snapshot;
  private volatile CachedRefusal[] refusals = NONE;

  /** Whether requests wait; they come first. */
  private volatile boolean hasWaiters;

  /** The most permits that a request knew to be used; each claim reports it to the store. */
  private volatile long used;

  protected FastPath(BucketId bucket, BucketSnapshot last) {
    hash = bucket.hashCode();
    key = bucket.encodedKey();
    spec = bucket.spec();
    snapshot = last;
  }

  /** Whether this is the bucket of a spec and a key with this hash. */
  @SuppressWarnings("ReferenceEquality") // mostly it is the same spec
  public final boolean isFor(BucketSpec otherSpec, Key otherKey, int otherHash) {
    return hash == otherHash
        && key.equals(otherKey.encoded())
        && (spec == otherSpec || spec.equals(otherSpec));
  }

  final boolean isStrict() {
    return spec.strict();
  }

  final boolean isCleared() {
    return spec.clears();
  }

  final long windowMicros() {
    return spec.windowMicros();
  }

  protected final boolean hasWaiters() {
    return hasWaiters;
  }

  protected final void setHasWaiters(boolean waits) {
    hasWaiters = waits;
  }

  /** Returns the permits of a period known to be used, whatever the store has counted. */
  protected final long used() {
    return used;
  }

  protected final void noteUsed(RequestTerms terms) {
    if (terms.used() > used) {
      raiseUsed(terms.used());
    }
  }

  private synchronized void raiseUsed(long known) {
    used = Math.max(used, known);
  }

  final Lease lease() {
    return lease;
  }

  final void setLease(Lease next) {
    lease = next;
  }

  protected final BucketSnapshot snapshot() {
    return snapshot;
  }

  final void setSnapshot(BucketSnapshot last) {
    snapshot = last;
  }

  final CachedRefusal[] refusals() {
    return refusals;
  }

  final void setRefusals(CachedRefusal[] known) {
    refusals = known.length == 0 ? NONE : known;
  }

  /** Admits a request by the lease, unless other requests wait; null if it can't. */
  public final @Nullable Decision admit(RequestTerms terms, Key key, long now) {
    noteUsed(terms);
    Lease held = lease;
    BucketSnapshot seen = snapshot;
    // Everything is read before the spending. That is a compare-and-set, which orders reads; this
    // way what it and what they need comes from memory at the same time.
    long storeLeft = storeLeft(terms, seen);
    long reset = seen.reset(now);
    boolean spends = !hasWaiters && held.isFor(terms);
    long left = spends ? held.spend(terms.permits(), now) : Lease.NOTHING;
    return left == Lease.NOTHING
        ? null
        : RequestDecision.admit(
            terms, key, Math.min(terms.burst(), left + storeLeft), reset, held.stamp());
  }

  /** Returns whether {@link #admit} would admit a request, unless another thread is faster. */
  public final boolean wouldAdmit(RequestTerms terms, long now) {
    return !hasWaiters && lease.held(terms, now) >= terms.permits();
  }

  /** Undoes an {@link #admit}; false if that lease has ended. */
  public final boolean undoAdmit(long stamp, long permits, long now) {
    Lease held = lease;
    return held.stamp() == stamp && held.undoSpend(permits, now);
  }

  /** Spends permits of the lease, and has the lease count the request. */
  public final @Nullable Grant spend(RequestTerms terms, long now) {
    noteUsed(terms);
    Lease held = lease;
    boolean spent = held.isFor(terms) && held.spend(terms.permits(), now) != Lease.NOTHING;
    return spent ? grant(terms, held, now) : null;
  }

  /** Spends for a request that is counted elsewhere; needs the bucket's lock. */
  public final @Nullable Grant spendUncounted(RequestTerms terms, long now) {
    Lease held = lease;
    boolean spent = held.isFor(terms) && held.withdraw(terms.permits(), now);
    return spent ? grant(terms, held, now) : null;
  }

  private Grant grant(RequestTerms terms, Lease held, long now) {
    return grant(terms, held.stamp(), held.endsAt() - now, now);
  }

  protected final Grant grantBorrowed(RequestTerms terms, long now) {
    return grant(terms, BORROWED, 0, now);
  }

  private Grant grant(RequestTerms terms, long stamp, long life, long now) {
    return Grant.builder()
        .granted(terms.permits(), stamp, life)
        .left(left(terms, now))
        .reset(snapshot.reset(now))
        .build();
  }

  /**
   * Returns the grant of permits that the store has granted for a request that waited for them:
   * they are spent by its decision, whether or not their slot has ended since.
   *
   * @param others permits of the same claim that other waiting requests are about to get
   */
  protected final Grant grantOfStore(RequestTerms terms, long stamp, long others, long now) {
    return Grant.builder()
        .granted(terms.permits(), stamp, 0)
        .left(Math.min(terms.burst(), left(terms, now) + others))
        .reset(snapshot.reset(now))
        .build();
  }

  /**
   * Returns the refusal that answers a request, if its answer is known. A live lease is spent
   * first.
   */
  public final @Nullable CachedRefusal findRefusal(RequestTerms terms, long now) {
    long missing = terms.permits() - lease.held(terms, now);
    if (missing <= 0) {
      return null;
    }
    boolean refused = false;
    CachedRefusal soonest = null;
    for (CachedRefusal each : refusals) {
      if (now < each.until()) {
        refused |= each.refuses(terms, missing);
        boolean sooner = soonest == null || each.retryAt() < soonest.retryAt();
        soonest = promises(each, terms) && sooner ? each : soonest;
      }
    }
    // Without a promise there is no retry time to report, so the store is asked.
    return refused ? soonest : null;
  }

  // What the lease holds helps only if it may still be spent by then.
  private boolean promises(CachedRefusal refusal, RequestTerms terms) {
    return refusal.promises(terms, terms.permits() - lease.held(terms, refusal.retryAt()));
  }

  /** Refuses a request whose answer is known; null otherwise. */
  public final @Nullable Grant refuse(RequestTerms terms, long now) {
    CachedRefusal refusal = findRefusal(terms, now);
    if (refusal != null) {
      refusal.note(now);
    }
    return refused(refusal, terms, now);
  }

  /** Refuses without noting it: for a peek, or a request that the store itself has refused. */
  public final @Nullable Grant refuseUnnoted(RequestTerms terms, long now) {
    return refused(findRefusal(terms, now), terms, now);
  }

  private @Nullable Grant refused(@Nullable CachedRefusal refusal, RequestTerms terms, long now) {
    return refusal == null
        ? null
        : Grant.refused(tooFew(terms, now), refusal.retry(now), refusal.reset(now));
  }

  public final Decision refusedBy(CachedRefusal refusal, RequestTerms terms, Key key, long now) {
    refusal.note(now);
    return RequestDecision.refuse(
        terms, key, tooFew(terms, now), refusal.reset(now), refusal.retry(now));
  }

  /** Returns whether a request is known to be refused, even if not for how long. */
  public final boolean isRefused(RequestTerms terms, long now) {
    long missing = terms.permits() - lease.held(terms, now);
    if (missing > 0) {
      for (CachedRefusal each : refusals) {
        if (now < each.until() && each.refuses(terms, missing)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Refuses a request although it is unknown for how long: for a window, which is the longest. */
  public final @Nullable Grant refuseForAWindow(RequestTerms terms, long now) {
    return isRefused(terms, now)
        ? Grant.refused(tooFew(terms, now), longestWait(terms, snapshot, now), snapshot.reset(now))
        : null;
  }

  /**
   * Refuses permits that weren't free in the store until time alone can have changed that: for when
   * the store can't be asked. (When it can, it is asked sooner, since other nodes may give back.)
   */
  public final @Nullable Grant refuseUntilReset(RequestTerms terms, long now) {
    long missing = terms.permits() - lease.held(terms, now);
    BucketSnapshot seen = snapshot;
    long left = seen.left(terms.burst());
    boolean tooFew = missing > left && now < seen.resetAt();
    long retry = tooFew ? missing <= left + 1 ? seen.reset(now) : longestWait(terms, seen, now) : 0;
    for (CachedRefusal each : refusals) {
      if (now < each.retryAt() && each.refuses(terms, missing)) {
        retry =
            Math.max(
                retry, promises(each, terms) ? each.retry(now) : longestWait(terms, seen, now));
      }
    }
    return retry == 0 ? null : Grant.refused(tooFew(terms, now), retry, retry);
  }

  /**
   * Refuses permits beyond this node's share of what the store had left a moment ago: for when the
   * store can't be asked.
   *
   * @param unconfirmed permits spent that the store didn't know of then
   * @param fresh how long the snapshot holds, if it doesn't say so itself
   */
  public final @Nullable Grant refuseBeyondShare(
      RequestTerms terms, int nodes, long unconfirmed, long fresh, long now) {
    BucketSnapshot seen = snapshot;
    // What was left in a fixed window says nothing about the next one, nor about any a window
    // later.
    boolean fixed = spec.algorithm() == Algorithm.FIXED_WINDOW;
    long freshUntil = NodeClock.after(seen.at(), Math.min(fresh, spec.windowMicros()));
    freshUntil = fixed ? Math.min(freshUntil, seen.resetAt()) : freshUntil;
    long until = Math.max(freshUntil, seen.resetAt());
    long left = seen.left(terms.burst()) + (now < seen.resetAt() ? 0 : 1);
    // A store that answered a moment ago goes on giving the other nodes what it has left.
    long parts = now < freshUntil ? 4L * nodes - 3 : nodes;
    long part = (left + parts - 1) / parts - unconfirmed;
    return now >= until || seen.reset(seen.at()) == 0 || terms.permits() <= part
        ? null
        : Grant.refused(Math.max(0, part), until - now, until - now);
  }

  /**
   * Returns the longest wait: a window, or as many as all refills take; in a window of the
   * calendar, which frees all at its end, the rest of it if known.
   */
  private long longestWait(RequestTerms terms, BucketSnapshot seen, long now) {
    long window = spec.refillMicros(terms.burst(), terms.effectiveLimit());
    boolean ends = seen.resetAt() > now && spec.calendar().isPresent();
    return ends ? Math.min(window, DriftMargin.lengthen(seen.reset(now))) : window;
  }

  /** Returns the answer to a peek, by what the store has left. */
  protected final Grant peeked(RequestTerms terms, long now, long storeLeft, long retry) {
    long left = Math.min(terms.burst(), lease.held(terms, now) + storeLeft);
    return Grant.refused(left, left >= terms.permits() ? 0 : retry, snapshot.reset(now));
  }

  /** Returns the answer to a request that takes nothing because another policy refuses it. */
  public final Grant takeNothing(RequestTerms terms, long now) {
    return Grant.refused(left(terms, now), 0, snapshot.reset(now));
  }

  /**
   * Returns the answer to a peek if it is known; null otherwise. It is known for a flush after the
   * store's answer; with a lease, it is refreshed about as often as leases are.
   */
  public final @Nullable Grant peek(RequestTerms terms, long now, long flush) {
    Grant refusal = refuseUnnoted(terms, now);
    long age = now - snapshot.at();
    boolean known = age < flush || age < LEASED * flush && lease.held(terms, now) > 0;
    boolean enough = known && left(terms, now) >= terms.permits();
    return refusal == null && enough ? takeNothing(terms, now) : refusal;
  }

  // Other nodes may have given back since, but a refusal must not report that enough is left.
  private long tooFew(RequestTerms terms, long now) {
    return Math.min(left(terms, now), terms.permits() - 1);
  }

  private long left(RequestTerms terms, long now) {
    return Math.min(terms.burst(), lease.held(terms, now) + storeLeft(terms, snapshot));
  }

  private static long storeLeft(RequestTerms terms, BucketSnapshot seen) {
    return Math.min(terms.burst(), seen.left(terms.burst()));
  }
}
