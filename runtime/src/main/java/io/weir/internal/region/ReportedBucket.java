package io.weir.internal.region;

import io.weir.annotation.Algorithm;
import io.weir.internal.algorithm.BucketKind;
import io.weir.internal.clock.DriftMargin;
import io.weir.internal.clock.NodeClock;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what the other regions are still to hear of one bucket.
 *
 * <p>Safe for concurrent use.
 */
final class ReportedBucket {
  /**
   * Microseconds by which windows of two stores may end apart and still be the same: more than the
   * estimate of the other clock errs.
   */
  private static final long SAME_END = 1_000_000;

  private final BucketId bucket;
  private final List<RegionClock> clocks;
  private final ChargesToReport[] regions;
  private final boolean[] isQueued;
  private final boolean[] isUnsure;
  private @Nullable Claim last;
  private long usedAt;
  private boolean isGone;

  /**
   * Begins without use.
   *
   * @param clocks of the other regions' stores
   * @param unreported the permits whose report a region hasn't answered yet, of all buckets, by
   *     region
   */
  ReportedBucket(BucketId bucket, List<RegionClock> clocks, List<LongAdder> unreported) {
    int count = clocks.size();
    this.bucket = bucket;
    this.clocks = clocks;
    this.regions = new ChargesToReport[count];
    this.isQueued = new boolean[count];
    this.isUnsure = new boolean[count];
    for (int region = 0; region < count; region++) {
      regions[region] = new ChargesToReport(bucket.spec().windowMicros(), unreported.get(region));
    }
  }

  /** Takes a bucket with a report for a region. */
  interface Queue {
    void add(int region, ReportedBucket bucket);
  }

  /**
   * Counts what a claim has used, by the answer of the own store.
   *
   * @param sentAt this node's time before the claim was sent
   * @param now after its answer
   * @return false if it is out of the table, so that another one counts
   */
  synchronized boolean count(Claim claim, Grant grant, long sentAt, long now, Queue queue) {
    if (isGone) {
      return false;
    }
    last = claim;
    usedAt = now;
    long until = until(claim, grant, sentAt, now);
    long debt = claim.debt() - claim.lostDebt();
    List<GiveBack> backs = claim.giveBacks();
    for (int region = 0; region < regions.length; region++) {
      ChargesToReport charges = regions[region];
      expire(region, now);
      for (int at = 0; at < backs.size(); at++) {
        charges.giveBack(backs.get(at).stamp(), backs.get(at).permits());
      }
      if (debt > 0) {
        charges.add(true, grant.stamp(), debt, until);
      }
      if (grant.permits() > 0) {
        charges.add(true, grant.stamp(), grant.permits(), until);
      }
      queue(region, queue);
    }
    return true;
  }

  /**
   * Returns when what is charged now doesn't count any more in the own store, by this node's time:
   * certainly not, but for a fixed window, whose end is not to be missed.
   */
  private static long until(Claim claim, Grant grant, long sentAt, long now) {
    BucketSpec spec = claim.bucket().spec();
    if (spec.algorithm() == Algorithm.FIXED_WINDOW) {
      return NodeClock.after(sentAt, Math.max(grant.life(), grant.reset()));
    }
    long counts = BucketKind.of(spec).countsMicros(spec, claim.effectiveLimit(), claim.burst());
    return NodeClock.after(now, DriftMargin.lengthen(NodeClock.after(grant.life(), counts)));
  }

  private void expire(int region, long now) {
    regions[region].expire(until -> now >= until && isOver(region, until, now));
  }

  /** Returns whether what doesn't count here any more doesn't count in a region's store either. */
  private boolean isOver(int region, long until, long now) {
    BucketSpec spec = bucket.spec();
    RegionClock clock = clocks.get(region);
    if (spec.algorithm() != Algorithm.FIXED_WINDOW) {
      return true;
    }
    return clock.isKnown()
        ? clock.of(now) >= ends(region, until)
        : now - until >= spec.windowMicros();
  }

  private void queue(int region, Queue queue) {
    if (!isQueued[region] && regions[region].hasNews()) {
      isQueued[region] = true;
      queue.add(region, this);
    }
  }

  /**
   * Makes the report to a region, whose turn in its queue has come; null if there is no news. After
   * one that alone wasn't answered it charges nothing and only asks.
   */
  synchronized @Nullable Report report(int region, long now) {
    isQueued[region] = false;
    ChargesToReport charges = regions[region];
    expire(region, now);
    Claim terms = last;
    if (terms == null || !charges.hasNews()) {
      return null;
    }
    boolean asks = isUnsure[region];
    List<ChargesToReport.Part> parts = asks ? charges.takeNothing() : charges.take();
    long debt = 0;
    long until = 0;
    for (ChargesToReport.Part part : parts) {
      debt += part.permits();
      until = Math.max(until, part.until());
    }
    Claim.Builder claim =
        Claim.builder(bucket, terms.effectiveLimit(), terms.burst())
            .giveBacks(asks ? List.of() : charges.takeGiveBacks())
            .debt(debt)
            .debtUntil(debt == 0 ? 0 : Math.max(1, ends(region, until)));
    if (terms.windowEnd() > 0) {
      claim.window(terms.windowBegin(), terms.windowEnd());
    }
    return new Report(this, claim.build(), parts);
  }

  /**
   * Returns when a debt no longer counts by the clock of the other region's store.
   *
   * <p>If the stores' clocks stand apart, its fixed windows end at other times than the own ones:
   * all of an own window then counts until the end of that which is open there when the own one
   * ends. Some of it belongs to the one before, so that is too much, never too little.
   */
  private long ends(int region, long until) {
    BucketSpec spec = bucket.spec();
    RegionClock clock = clocks.get(region);
    if (spec.algorithm() != Algorithm.FIXED_WINDOW) {
      return clock.latest(until);
    }
    long window = spec.windowMicros();
    long open = clock.of(until) - Math.min(SAME_END, window / 4);
    Optional<CalendarWindow> calendar = spec.calendar();
    return calendar.isPresent()
        ? calendar.get().end(open)
        : (Math.floorDiv(open, window) + 1) * window;
  }

  /** Notes that the other region's store has charged a report. */
  synchronized void answered(int region, Report report, Grant grant, Queue queue) {
    isUnsure[region] = false;
    regions[region].answered(report.parts(), grant.stamp());
    queue(region, queue);
  }

  /**
   * Has a report made again, without what it gave back.
   *
   * @param isUnsure whether it may have been charged although the store answered others
   * @return the permits that won't be sent again, since the region was given up meanwhile
   */
  synchronized long unanswered(int region, Report report, boolean isUnsure, Queue queue) {
    if (isGone) {
      return regions[region].giveUpInFlight();
    }
    this.isUnsure[region] |= isUnsure;
    regions[region].unanswered(report.parts());
    queue(region, queue);
    return 0;
  }

  /**
   * Leaves the table if nothing is to be sent; false if it stays.
   *
   * @param idle leaves too if it is only remembered what may come back, but nothing was used for so
   *     long
   */
  synchronized boolean leave(long now, long idle) {
    boolean stays = false;
    for (int region = 0; region < regions.length; region++) {
      ChargesToReport each = regions[region];
      expire(region, now);
      stays |= !each.isEmpty() && !(each.isSettled() && now - usedAt >= idle);
    }
    isGone = !stays;
    return isGone;
  }

  /**
   * Leaves the table unless a region that isn't silent is still to be sent something.
   *
   * @param silent whether a region is, by its number
   * @return the permits that the silent ones won't be sent, 0 and more; negative if it stays
   */
  synchronized long leave(long now, boolean[] silent) {
    for (int region = 0; region < regions.length; region++) {
      expire(region, now);
      if (!silent[region] && !regions[region].isSettled()) {
        return -1;
      }
    }
    isGone = true;
    return Arrays.stream(regions).mapToLong(ChargesToReport::giveUp).sum();
  }

  /** Returns whether it has left the table: nothing of it is to be sent any more. */
  synchronized boolean isGone() {
    return isGone;
  }

  BucketId bucket() {
    return bucket;
  }

  /**
   * A report to one region about one bucket. Immutable.
   *
   * @param of the bucket
   * @param claim as it is sent
   * @param parts its debt, by the stamps of the own store
   */
  record Report(ReportedBucket of, Claim claim, List<ChargesToReport.Part> parts) {}
}
