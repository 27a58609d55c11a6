package io.weir.internal.writeback;

import io.weir.internal.permits.RequestTerms;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the store has said of one bucket: how it looked last, and what it had too little for.
 *
 * <p>A refusal is remembered for a flush interval, and each further one in a row for twice as long,
 * up to sixteen, but never beyond the time at which there will be permits again. What is told to
 * the caller is that time, not the shorter one.
 *
 * <p>What is known by it lies in {@link FastPath}. {@link #nominal(RequestTerms, long, long)} is
 * safe for concurrent use; everything else needs the entry's lock.
 */
final class StoreView {
  private static final int LONGEST = 16;
  private static final int MOST = 4;

  private final FastPath answers;
  private volatile @Nullable StoreSnapshot nominal;
  private long backoff;

  /** Begins with what is known, and for how long a refusal was remembered last. */
  StoreView(FastPath answers, long backoff) {
    this.answers = answers;
    this.backoff = backoff;
  }

  /** For how long the last refusal was remembered; 0 if it wasn't one. */
  long backoff() {
    return backoff;
  }

  /** Whether anybody at all would be refused. */
  boolean isEmpty(long now) {
    for (CachedRefusal each : answers.refusals()) {
      if (now < each.until() && each.cost() <= 1) {
        return true;
      }
    }
    return false;
  }

  /** Whether nothing is remembered but the sight. */
  boolean isOver(long now, long flush) {
    for (CachedRefusal each : answers.refusals()) {
      if (now < each.until()) {
        return false;
      }
    }
    StoreSnapshot looked = nominal;
    return looked == null || now - looked.at() >= LONGEST * flush;
  }

  /** Notes what a look by another capacity saw. */
  void look(RequestTerms requestTerms, Grant grant, long now) {
    long resetAt = NodeClock.after(now, grant.reset());
    nominal =
        new StoreSnapshot(
            now, grant.left(), requestTerms.effectiveLimit(), requestTerms.burst(), resetAt);
  }

  /** What the last look saw, if it was by this wish's capacity and not too long ago. */
  @Nullable StoreSnapshot nominal(RequestTerms requestTerms, long now, long flush) {
    StoreSnapshot seen = nominal;
    boolean fits =
        seen != null
            && seen.effectiveLimit() == requestTerms.effectiveLimit()
            && seen.burst() == requestTerms.burst()
            && now - seen.at() < LONGEST * flush;
    return fits ? seen : null;
  }

  /** Notes an answer that came in time. */
  void learn(Claim claim, Grant grant, long now, long flush) {
    long resetAt = NodeClock.after(now, grant.reset());
    answers.saw(
        new StoreSnapshot(now, grant.left(), claim.effectiveLimit(), claim.burst(), resetAt));
    if (grant.retry() > 0) {
      boolean none = grant.permits() == 0 && claim.needed() > 0;
      backoff = none ? Math.min(LONGEST * flush, Math.max(flush, 2 * backoff)) : flush;
      // Clocks differ: this looks again in time, and tells nobody a time that is too early.
      long until = NodeClock.after(now, Math.min(ClockDrift.of(grant.retry()) - 1, backoff));
      long cost = Math.max(1, claim.atLeast());
      long remembered = Math.min(grant.retry(), backoff);
      long retryAt =
          NodeClock.after(now, grant.retry() - remembered + ClockDrift.surely(remembered));
      remember(
          new CachedRefusal(
              until, cost, claim.effectiveLimit(), claim.burst(), grant.left(), retryAt, resetAt),
          now);
    } else {
      backoff = grant.permits() > 0 ? 0 : backoff;
      remember(null, now);
    }
  }

  /** Drops what is over or refuted, and adds one. */
  private void remember(@Nullable CachedRefusal added, long now) {
    if (added == null && answers.refusals().length == 0) {
      return; // most grants find it so, and each reference that is written costs the collector
    }
    long left = answers.sight().left();
    CachedRefusal[] kept = new CachedRefusal[MOST];
    int count = 0;
    if (added != null) {
      kept[count++] = added;
    }
    for (CachedRefusal each : answers.refusals()) {
      boolean told = added != null && each.isAbout(added);
      if (count < MOST && !told && now < each.until() && each.cost() > left) {
        kept[count++] = each;
      }
    }
    answers.refuses(Arrays.copyOf(kept, count));
  }
}
