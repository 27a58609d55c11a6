package io.weir.internal.region;

import io.weir.internal.clock.NodeClock;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts what this node's callers have used, for the other regions: what the own store has granted,
 * and debts that it has charged, less what came back. What is reported to the own store again after
 * it has lost its data is no use, and the other stores still have it.
 *
 * <p>Buckets of a region are left out, and periods, whose use is known from elsewhere. Where there
 * is no room, what waits for silent regions makes room for those that answer. If that isn't enough,
 * what further buckets use isn't reported. Both are counted and logged.
 *
 * <p>Safe for concurrent use.
 */
final class RegionReports {
  /** For how long it is remembered what may come back of a bucket that isn't used, at most. */
  private static final long REMEMBERED = 60_000_000;

  private static final long BETWEEN_TIDIES = 1_000_000;

  private final NodeClock clock;
  private final Executor background;
  private final long maxBuckets;
  private final IntPredicate isSilent;
  private final ConcurrentHashMap<BucketId, ReportedBucket> buckets = new ConcurrentHashMap<>();
  private final List<Queue<ReportedBucket>> queues = new ArrayList<>();
  private final List<LongAdder> unreported = new ArrayList<>();
  private final List<RegionClock> clocks;
  private final LongAdder dropped = new LongAdder();
  private final AtomicLong tidiedAt;

  /**
   * Begins without reports.
   *
   * @param regions the number of other regions
   * @param maxBuckets the most buckets that are counted at a time
   * @param isSilent whether a region, by its number, hasn't answered for long
   * @param background makes room, which takes long: whoever counts has an answer to pass on
   */
  RegionReports(
      NodeClock clock, int regions, long maxBuckets, IntPredicate isSilent, Executor background) {
    this.clock = clock;
    this.background = background;
    this.maxBuckets = maxBuckets;
    this.isSilent = isSilent;
    this.clocks = Stream.generate(() -> new RegionClock(clock)).limit(regions).toList();
    for (int region = 0; region < regions; region++) {
      queues.add(new ConcurrentLinkedQueue<>());
      unreported.add(new LongAdder());
    }
    tidiedAt = new AtomicLong(clock.micros());
  }

  /**
   * Counts what a claim has used.
   *
   * @param grant the own store's answer
   * @param sentAt this node's time before the claim was sent
   */
  void count(Claim claim, Grant grant, long sentAt) {
    BucketSpec spec = claim.bucket().spec();
    if (spec.isOfRegion() || spec.isOfPeriod() || grant.isOfOtherWindow()) {
      return;
    }
    long used = grant.permits() + claim.debt() - claim.lostDebt();
    if (used == 0 && claim.giveBacks().isEmpty()) {
      return;
    }
    long now = clock.micros();
    ReportedBucket bucket = used > 0 ? counted(claim.bucket()) : buckets.get(claim.bucket());
    while (bucket != null && !bucket.count(claim, grant, sentAt, now, this::enqueue)) {
      buckets.remove(claim.bucket(), bucket);
      bucket = used > 0 ? counted(claim.bucket()) : null;
    }
    if (bucket == null) {
      dropped.add(used);
    }
  }

  /** Returns null if there is no room. */
  private @Nullable ReportedBucket counted(BucketId id) {
    ReportedBucket bucket = buckets.get(id);
    if (bucket != null) {
      return bucket;
    }
    if (buckets.size() >= maxBuckets) {
      makeRoom();
      if (buckets.size() >= maxBuckets) {
        return null;
      }
    }
    return buckets.computeIfAbsent(id, any -> new ReportedBucket(any, clocks, unreported));
  }

  private void enqueue(int region, ReportedBucket bucket) {
    queues.get(region).add(bucket);
  }

  /** Drops buckets that nothing is to be reported of any more. */
  void tidy() {
    if (isTimeToTidy()) {
      tidy(REMEMBERED);
    }
  }

  private void makeRoom() {
    if (isTimeToTidy()) {
      background.execute(() -> tidy(0));
    }
  }

  /** At most once a second, since all buckets are visited. */
  private boolean isTimeToTidy() {
    long now = clock.micros();
    long last = tidiedAt.get();
    return now - last >= BETWEEN_TIDIES && tidiedAt.compareAndSet(last, now);
  }

  private void tidy(long idle) {
    long now = clock.micros();
    boolean isAnyGone = buckets.values().removeIf(each -> each.leave(now, idle));
    if (buckets.size() >= maxBuckets) {
      isAnyGone |= giveUpSilentRegions(now);
    }
    if (isAnyGone) {
      queues.forEach(queue -> queue.removeIf(ReportedBucket::isGone)); // of a silent region
    }
  }

  /** Drops what waits for silent regions alone, so that the others go on hearing of all. */
  private boolean giveUpSilentRegions(long now) {
    boolean[] silent = new boolean[queues.size()];
    boolean isAnyHeard = false;
    for (int region = 0; region < silent.length; region++) {
      silent[region] = isSilent.test(region);
      isAnyHeard |= !silent[region];
    }
    return isAnyHeard
        && buckets
            .values()
            .removeIf(
                each -> {
                  long lost = each.leave(now, silent);
                  dropped.add(Math.max(0, lost));
                  return lost >= 0;
                });
  }

  /** Returns the clock of a region's store, which counts until when a report is of use there. */
  RegionClock clockOf(int region) {
    return clocks.get(region);
  }

  /**
   * Takes out reports to a region. Each is to be answered or not.
   *
   * @param most the largest number of them
   * @param rests the buckets of which nothing is to be reported for now
   */
  List<ReportedBucket.Report> take(int region, int most, Predicate<BucketId> rests) {
    Queue<ReportedBucket> queue = queues.get(region);
    long now = clock.micros();
    List<ReportedBucket.Report> reports = new ArrayList<>();
    List<ReportedBucket> resting = new ArrayList<>(0);
    ReportedBucket next;
    while (reports.size() < most && (next = queue.poll()) != null) {
      if (rests.test(next.bucket())) {
        resting.add(next);
      } else {
        ReportedBucket.Report report = next.report(region, now);
        if (report != null) {
          reports.add(report);
        }
      }
    }
    queue.addAll(resting);
    return reports;
  }

  boolean hasNews(int region) {
    return !queues.get(region).isEmpty();
  }

  void answered(int region, ReportedBucket.Report report, Grant grant) {
    report.of().answered(region, report, grant, this::enqueue);
  }

  void unanswered(int region, ReportedBucket.Report report) {
    dropped.add(report.of().unanswered(region, report, false, this::enqueue));
  }

  /** Has a bucket asked for before more is reported of it: it alone wasn't answered. */
  void unsure(int region, ReportedBucket.Report report) {
    dropped.add(report.of().unanswered(region, report, true, this::enqueue));
  }

  /** Permits whose report a region hasn't answered. Visits no bucket: each scrape asks for it. */
  long unreported(int region) {
    return unreported.get(region).sum();
  }

  /** Permits that no region hears of, or silent ones don't, because there was no room. */
  long dropped() {
    return dropped.sum();
  }
}
