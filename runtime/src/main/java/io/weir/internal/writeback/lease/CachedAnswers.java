package io.weir.internal.writeback.lease;

import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.NodeClock;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Caches the store's answers about one bucket: its last state, and its refusals.
 *
 * <p>A refusal is remembered for a flush interval, each further one in a row for twice as long, up
 * to sixteen, but never beyond the time at which permits will be free again. Refusals report that
 * time, not the shorter one.
 *
 * <p>{@link FastPath} holds the snapshot and the refusals. {@link #peeked} is safe for concurrent
 * use; everything else needs the bucket's lock.
 */
public final class CachedAnswers {
  private static final int MAX_FLUSHES = 16;
  private static final int MAX_REFUSALS = 4;

  private final FastPath fastPath;
  private volatile @Nullable BucketSnapshot peeked;
  private final @Nullable LastRefusalTracker refusals;
  private long backoff;

  /** Begins with the time for which the last refusal was remembered, 0 if there was none. */
  public CachedAnswers(FastPath fastPath, long backoff) {
    this.fastPath = fastPath;
    this.backoff = backoff;
    this.refusals = fastPath.isStrict() ? new LastRefusalTracker(fastPath.windowMicros()) : null;
  }

  /** For how long the last refusal was remembered; 0 if the store granted since. */
  public long backoff() {
    return backoff;
  }

  /** Notes a refusal by this node, to be reported to the store if the bucket is strict. */
  public void noteRefusal(long now) {
    if (refusals != null) {
      refusals.note(now);
    }
  }

  /** Returns whether a refusal is still to be reported to the store. */
  public boolean hasUnreportedRefusal(long now) {
    return refusals != null && refusals.isUnreported(now);
  }

  /** Returns the time of the refusal that a claim reports; 0 if there is none. */
  public long sendRefusal(long now) {
    return refusals == null ? 0 : refusals.send(now);
  }

  /** Returns whether even one permit would be refused. */
  public boolean isEmpty(long now) {
    for (CachedRefusal each : fastPath.refusals()) {
      if (now < each.until() && each.cost() <= 1) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether nothing is remembered but the snapshot. */
  public boolean isOver(long now, long flush) {
    for (CachedRefusal each : fastPath.refusals()) {
      if (now < each.until()) {
        return false;
      }
    }
    BucketSnapshot last = peeked;
    return last == null || now - last.at() >= MAX_FLUSHES * flush;
  }

  /** Notes the answer to a peek by other terms. */
  public void learnPeek(RequestTerms terms, Grant grant, long now) {
    long resetAt = NodeClock.after(now, grant.reset());
    peeked = new BucketSnapshot(now, grant.left(), terms.effectiveLimit(), terms.burst(), resetAt);
  }

  /** Returns the answer to the last peek, if it was by these terms and recent. */
  public @Nullable BucketSnapshot peeked(RequestTerms terms, long now, long flush) {
    BucketSnapshot seen = peeked;
    boolean fits =
        seen != null
            && seen.effectiveLimit() == terms.effectiveLimit()
            && seen.burst() == terms.burst()
            && now - seen.at() < MAX_FLUSHES * flush;
    return fits ? seen : null;
  }

  /**
   * Notes the newest answer.
   *
   * @param goesBack whether permits of this grant are given back: then more is free than it says,
   *     and it is no refusal
   * @param sentAt when the claim was sent; one sent {@code retry} later may be granted, though a
   *     caller is only promised that {@code retry} after the answer
   */
  public void learn(Claim claim, Grant grant, boolean goesBack, long sentAt, long now, long flush) {
    long resetAt = NodeClock.after(now, grant.reset());
    fastPath.setSnapshot(
        new BucketSnapshot(now, grant.left(), claim.effectiveLimit(), claim.burst(), resetAt));
    if (refusals != null) {
      refusals.learn(claim, grant, now);
    }
    if (grant.retry() > 0 && !goesBack) {
      boolean none = grant.permits() == 0 && claim.needed() > 0;
      if (none) {
        backoff = Math.min(MAX_FLUSHES * flush, Math.max(flush, 2 * backoff));
      } else if (claim.refusedAt() == 0) { // which alone is no sign of a change
        backoff = flush;
      }
      // Clocks drift: the store is asked again in time, and no refusal reports a time that is too
      // early.
      long free = NodeClock.after(sentAt, DriftMargin.shorten(grant.retry()) - 1);
      long until = Math.max(now + 1, Math.min(free, NodeClock.after(now, backoff)));
      long cost = Math.max(1, claim.atLeast());
      until = promised(cost, until);
      long remembered = Math.min(grant.retry(), backoff);
      long retryAt =
          NodeClock.after(now, grant.retry() - remembered + DriftMargin.lengthen(remembered));
      remember(
          new CachedRefusal(
              until,
              cost,
              claim.effectiveLimit(),
              claim.burst(),
              grant.left(),
              retryAt,
              resetAt,
              anew(grant)),
          grant,
          now);
    } else {
      backoff = grant.permits() > 0 ? 0 : backoff;
      remember(null, grant, now);
    }
  }

  private CachedRefusal.@Nullable RestartedWait anew(Grant grant) {
    return refusals == null
        ? null
        : new CachedRefusal.RestartedWait(
            refusals.anew(grant.retry()), refusals.anew(grant.reset()), refusals);
  }

  /**
   * Returns the first time, before a given one, at which more permits than these were promised: a
   * caller that comes back then may ask, even if this answer took longer and so promises a later
   * time.
   */
  private long promised(long cost, long before) {
    long first = before;
    for (CachedRefusal each : fastPath.refusals()) {
      first = each.cost() > cost ? Math.min(first, each.retryAt()) : first;
    }
    return first;
  }

  /**
   * Drops refusals that are expired, disproved or overtaken, and adds one. If an earlier refusal
   * promised enough permits by now, those just granted are missing from it.
   */
  private void remember(@Nullable CachedRefusal added, Grant newest, long now) {
    if (added == null && fastPath.refusals().length == 0) {
      return; // mostly; writing a reference costs the garbage collector
    }
    CachedRefusal[] earlier = newest.permits() > 0 ? FastPath.NONE : fastPath.refusals();
    CachedRefusal[] kept = new CachedRefusal[MAX_REFUSALS];
    int count = 0;
    if (added != null) {
      kept[count++] = added;
    }
    for (CachedRefusal each : earlier) {
      boolean replaced = added != null && each.isAbout(added);
      if (count < MAX_REFUSALS && !replaced && now < each.until() && each.cost() > newest.left()) {
        kept[count++] = each;
      }
    }
    fastPath.setRefusals(Arrays.copyOf(kept, count));
  }
}
