package io.weir.writeback;

import io.weir.Offer;
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
 * <p>What is known by it lies in {@link Answers}. {@link #nominal(Offer, long, long)} is safe for
 * concurrent use; everything else needs the entry's lock.
 */
final class Heard {
  private static final int LONGEST = 16;
  private static final int MOST = 4;

  private final Answers answers;
  private volatile @Nullable Sight nominal;
  private long backoff;

  /** Begins with what is known, and for how long a refusal was remembered last. */
  Heard(Answers answers, long backoff) {
    this.answers = answers;
    this.backoff = backoff;
  }

  /** For how long the last refusal was remembered; 0 if it wasn't one. */
  long backoff() {
    return backoff;
  }

  /** Whether anybody at all would be refused. */
  boolean isEmpty(long now) {
    for (Refusal each : answers.refusals()) {
      if (now < each.until() && each.cost() <= 1) {
        return true;
      }
    }
    return false;
  }

  /** Whether nothing is remembered but the sight. */
  boolean isOver(long now, long flush) {
    for (Refusal each : answers.refusals()) {
      if (now < each.until()) {
        return false;
      }
    }
    Sight looked = nominal;
    return looked == null || now - looked.at() >= LONGEST * flush;
  }

  /** Notes what a look by another capacity saw. */
  void look(Offer offer, Grant grant, long now) {
    long resetAt = NodeClock.after(now, grant.reset());
    nominal = new Sight(now, grant.left(), offer.capacity(), offer.burst(), resetAt);
  }

  /** What the last look saw, if it was by this wish's capacity and not too long ago. */
  @Nullable Sight nominal(Offer offer, long now, long flush) {
    Sight seen = nominal;
    boolean fits =
        seen != null
            && seen.capacity() == offer.capacity()
            && seen.burst() == offer.burst()
            && now - seen.at() < LONGEST * flush;
    return fits ? seen : null;
  }

  /** Notes an answer that came in time. */
  void learn(Claim claim, Grant grant, long now, long flush) {
    long resetAt = NodeClock.after(now, grant.reset());
    answers.saw(new Sight(now, grant.left(), claim.capacity(), claim.burst(), resetAt));
    if (grant.retry() > 0) {
      boolean none = grant.permits() == 0 && claim.needed() > 0;
      backoff = none ? Math.min(LONGEST * flush, Math.max(flush, 2 * backoff)) : flush;
      // Clocks differ: this looks again in time, and tells nobody a time that is too early.
      long until = NodeClock.after(now, Math.min(LeaseLife.of(grant.retry()) - 1, backoff));
      long cost = Math.max(1, claim.atLeast());
      long remembered = Math.min(grant.retry(), backoff);
      long retryAt =
          NodeClock.after(now, grant.retry() - remembered + LeaseLife.surely(remembered));
      remember(
          new Refusal(until, cost, claim.capacity(), claim.burst(), grant.left(), retryAt, resetAt),
          now);
    } else {
      backoff = grant.permits() > 0 ? 0 : backoff;
      remember(null, now);
    }
  }

  /** Drops what is over or refuted, and adds one. */
  private void remember(@Nullable Refusal added, long now) {
    if (added == null && answers.refusals().length == 0) {
      return; // most grants find it so, and each reference that is written costs the collector
    }
    long left = answers.sight().left();
    Refusal[] kept = new Refusal[MOST];
    int count = 0;
    if (added != null) {
      kept[count++] = added;
    }
    for (Refusal each : answers.refusals()) {
      boolean told = added != null && each.isAbout(added);
      if (count < MOST && !told && now < each.until() && each.cost() > left) {
        kept[count++] = each;
      }
    }
    answers.refuses(Arrays.copyOf(kept, count));
  }
}
