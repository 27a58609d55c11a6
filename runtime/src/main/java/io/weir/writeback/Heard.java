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
 * <p>Reading is safe for concurrent use; {@link #learn} needs the entry's lock.
 */
final class Heard {
  private static final int LONGEST = 16;
  private static final int MOST = 4;
  private static final Refusal[] NONE = {};

  private volatile Refusal[] refusals = NONE;
  private volatile Sight sight;
  private volatile @Nullable Sight nominal;
  private long backoff;

  /** Begins with what was seen last, and for how long a refusal was remembered last. */
  Heard(Sight last, long backoff) {
    sight = last;
    this.backoff = backoff;
  }

  /** For how long the last refusal was remembered; 0 if it wasn't one. */
  long backoff() {
    return backoff;
  }

  /** The refusal that answers a wish that lacks so many permits, if its answer is known. */
  @Nullable Refusal refusal(Offer offer, long missing, long now) {
    Refusal[] all = refusals;
    boolean refused = false;
    Refusal best = null;
    for (Refusal each : all) {
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
  boolean refuses(Offer offer, long missing, long now) {
    for (Refusal each : refusals) {
      if (now < each.until() && each.refuses(offer, missing)) {
        return true;
      }
    }
    return false;
  }

  /** Whether anybody at all would be refused. */
  boolean isEmpty(long now) {
    for (Refusal each : refusals) {
      if (now < each.until() && each.cost() <= 1) {
        return true;
      }
    }
    return false;
  }

  /** Whether nothing is remembered but the sight. */
  boolean isOver(long now, long flush) {
    for (Refusal each : refusals) {
      if (now < each.until()) {
        return false;
      }
    }
    Sight looked = nominal;
    return looked == null || now - looked.at() >= LONGEST * flush;
  }

  Sight sight() {
    return sight;
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

  /** Permits that the store had left, by this wish's burst. */
  long left(Offer offer) {
    return Math.min(offer.burst(), sight.left(offer.burst()));
  }

  long reset(long now) {
    return sight.reset(now);
  }

  /** Notes an answer that came in time. */
  void learn(Claim claim, Grant grant, long now, long flush) {
    long resetAt = NodeClock.after(now, grant.reset());
    sight = new Sight(now, grant.left(), claim.capacity(), claim.burst(), resetAt);
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
    long left = sight.left();
    Refusal[] kept = new Refusal[MOST];
    int count = 0;
    if (added != null) {
      kept[count++] = added;
    }
    for (Refusal each : refusals) {
      boolean told = added != null && each.isAbout(added);
      if (count < MOST && !told && now < each.until() && each.cost() > left) {
        kept[count++] = each;
      }
    }
    refusals = count == 0 ? NONE : Arrays.copyOf(kept, count);
  }
}
