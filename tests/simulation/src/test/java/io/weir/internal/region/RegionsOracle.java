package io.weir.internal.region;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.OnStoreFailure;
import io.weir.simulation.oracle.Oracle;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.testkit.cluster.Admission;
import io.weir.testkit.cluster.Report;
import io.weir.testkit.cluster.Wipe;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Determines whether regions together have admitted more than the bound of docs/design/regions.md:
 * of all permits that were spent in a window, take those that the store of the last grant knew of,
 * or had got reports of. They are within the limit. The window is one by the clock of that store.
 *
 * <p>Confine to one thread.
 */
final class RegionsOracle {
  /** Any region granted last: where all clocks are the same. */
  private static final int ANY = -1;

  /** By how much windows of two stores may end apart and still count as the same. */
  private static final long SAME_END = 1_000_000;

  /**
   * From a node's first report after a step of a clock until it has sent again what was ignored.
   */
  private static final long LEARNED = 3_000_000;

  private final SimulatedRegions of;
  private final List<Report> reports = new ArrayList<>();
  private final Map<BucketId, List<Spent>> all = new HashMap<>();

  /**
   * Permits that a region has spent.
   *
   * @param grantedAt when they were asked for, or earlier
   * @param knownAt when the node knew that they were granted, or later
   */
  private record Spent(int region, Admission what, long grantedAt, long knownAt) {
    long at() {
      return what.spent();
    }
  }

  /**
   * Permits of a bucket in the order in which they were spent, by the clock of the region that
   * decides, or of any.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Course(int decider, StoreClock clock, List<Spent> spent, long[] at) {
    boolean isFlow() {
      return BucketSpec.hasBurst(policy().algorithm());
    }

    Policy policy() {
      return spent.get(0).what().policy();
    }

    long window() {
      return policy().spec().windowMicros();
    }

    /** Returns the begin of the fixed window of a time. */
    long begin(long micros) {
      return policy()
          .spec()
          .calendar()
          .map(each -> each.begin(micros))
          .orElseGet(() -> Math.floorDiv(micros, window()) * window());
    }

    boolean isInWindow(int one, int end) {
      return policy().algorithm() == Algorithm.FIXED_WINDOW
          ? begin(at[one]) == begin(at[end])
          : at[one] > at[end] - window();
    }

    long permits(int number) {
      return spent.get(number).what().permits();
    }
  }

  RegionsOracle(SimulatedRegions of) {
    this.of = of;
    for (int region = 0; region < of.clusters.size(); region++) {
      Report report = of.clusters.get(region).report();
      reports.add(report);
      Map<SimulatedRegions.Stamp, Long> spent = new HashMap<>();
      for (Admission each : report.admissions()) {
        if (!each.degraded()) {
          all.computeIfAbsent(each.bucket(), any -> new ArrayList<>())
              .add(spent(region, each, spent));
        }
      }
    }
    all.values().forEach(each -> each.sort(Comparator.comparingLong(Spent::at)));
  }

  /** Of the grants of a stamp the first ones are taken to be spent first. */
  private Spent spent(int region, Admission each, Map<SimulatedRegions.Stamp, Long> spent) {
    SimulatedRegions.Stamp stamp =
        new SimulatedRegions.Stamp(region, each.node(), each.bucket(), each.stamp());
    SimulatedRegions.Granted granted = of.grants.get(stamp);
    if (granted == null) {
      return new Spent(region, each, each.spent(), each.time());
    }
    long before = spent.merge(stamp, each.permits(), Long::sum) - each.permits();
    long knownAt = Math.min(granted.last, each.time());
    return new Spent(region, each, granted.askedAt(before), knownAt);
  }

  /** Returns what was broken: a region's own promises, or the bound of all together. */
  List<String> violations() {
    List<String> broken = new ArrayList<>();
    for (int region = 0; region < reports.size(); region++) {
      new Oracle(byItsClock(region), OnStoreFailure.LOCAL)
          .violations()
          .forEach(violation -> broken.add("own " + violation));
    }
    boolean isSame = of.clocks.stream().distinct().count() == 1;
    int[] deciders = isSame ? new int[] {ANY} : IntStream.range(0, reports.size()).toArray();
    all.forEach(
        (bucket, spent) -> {
          for (int decider : deciders) {
            long excess = excess(course(spent, decider));
            if (excess > 0) {
              String where = decider == ANY ? "" : " by the clock of " + decider;
              broken.add("regions: " + excess + " permits too many of " + bucket + where);
            }
          }
        });
    return broken;
  }

  /** Returns what a region's nodes have admitted, at the times of its own store. */
  private Report byItsClock(int region) {
    Report report = reports.get(region);
    StoreClock clock = of.clocks.get(region);
    List<Admission> admissions = new ArrayList<>();
    all.values().stream()
        .flatMap(List::stream)
        .filter(each -> each.region() == region)
        .forEach(
            each -> {
              long ahead = clock.measured(each.at(), each.grantedAt()) - each.at();
              admissions.add(moved(each.what(), ahead));
            });
    report.admissions().stream().filter(Admission::degraded).forEach(admissions::add);
    admissions.sort(Comparator.comparingLong(Admission::time));
    return new Report(
        report.start(),
        report.end(),
        report.arrivals(),
        admissions,
        report.requests(),
        report.refused(),
        report.degraded(),
        report.waited(),
        report.undecided(),
        report.failed(),
        report.refunded(),
        report.exchanges(),
        report.longestWaitMicros(),
        report.mostBuckets(),
        report.mishaps(),
        report.ledger(),
        report.wipes());
  }

  private static Admission moved(Admission each, long ahead) {
    return new Admission(
        each.policy(),
        each.bucket(),
        each.node(),
        each.time() + ahead,
        each.spent() + ahead,
        each.slotEnd() + ahead,
        each.nodeTime(),
        each.permits(),
        each.stamp(),
        each.degraded(),
        each.nodes());
  }

  private Course course(List<Spent> spent, int decider) {
    StoreClock clock = of.clocks.get(Math.max(0, decider));
    List<Spent> inOrder = new ArrayList<>(spent);
    inOrder.sort(Comparator.comparingLong(each -> time(each, decider, clock)));
    long[] at = inOrder.stream().mapToLong(each -> time(each, decider, clock)).toArray();
    return new Course(decider, clock, inOrder, at);
  }

  private static long time(Spent each, int decider, StoreClock clock) {
    boolean isOwn = decider == ANY || each.region() == decider;
    return clock.measured(each.at(), isOwn ? each.grantedAt() : each.at());
  }

  private long excess(Course course) {
    return course.isFlow() ? excessOfFlow(course) : excessOfWindows(course);
  }

  private long excessOfWindows(Course course) {
    long worst = 0;
    long sum = 0;
    int from = 0;
    for (int to = 0; to < course.at().length; to++) {
      sum += course.permits(to);
      while (!course.isInWindow(from, to)) {
        sum -= course.permits(from++);
      }
      long limit = course.policy().limit();
      if (sum > limit) {
        worst = Math.max(worst, known(course, from, to) - limit);
      }
    }
    return worst;
  }

  private long excessOfFlow(Course course) {
    Policy policy = course.policy();
    long worst = 0;
    for (int to = 0; to < course.at().length; to++) {
      long sum = 0;
      for (int from = to; from >= 0; from--) {
        sum += course.permits(from);
        long length = course.at()[to] - course.at()[from];
        long most = policy.burstFor(policy.limit()) + policy.limit() * length / course.window();
        if (sum > most) {
          worst = Math.max(worst, known(course, from, to) - most);
        }
      }
    }
    return worst;
  }

  /** Permits that the store of the last grant knew of, or had got reports of. */
  private long known(Course course, int from, int to) {
    List<Spent> spent = course.spent();
    Spent last = spent.get(from);
    for (int at = from; at <= to; at++) {
      last = spent.get(at).grantedAt() > last.grantedAt() ? spent.get(at) : last;
    }
    if (course.decider() != ANY && course.decider() != last.region()) {
      return 0;
    }
    List<Wipe> wipes = reports.get(last.region()).wipes();
    long begin = begin(course, last, from);
    long sum = 0;
    for (int at = from; at <= to; at++) {
      Spent each = spent.get(at);
      boolean knows =
          each.region() == last.region()
              ? wipes.stream().noneMatch(wipe -> wipe.forgets(each.what()))
              : !isAtTheEdge(course, at)
                  && isTold(course, each, last, begin)
                  && !isLost(each, last, wipes, spent.get(to).at());
      sum += knows ? each.what().permits() : 0;
    }
    return sum;
  }

  /**
   * Since when, by the clock of the store, a debt must have been charged to count. One that was
   * charged before its permit was spent, from a lease, counts less than a window after that.
   */
  private static long begin(Course course, Spent last, int from) {
    long granted = course.clock().measured(last.grantedAt(), last.grantedAt());
    if (course.policy().algorithm() == Algorithm.FIXED_WINDOW) {
      return course.begin(granted);
    }
    return course.isFlow() ? course.at()[from] : granted - course.window();
  }

  /**
   * Whether it was spent in the part of a fixed window that ends in the other region's last one.
   */
  private static boolean isAtTheEdge(Course course, int number) {
    long at = course.at()[number];
    return course.decider() != ANY
        && course.policy().algorithm() == Algorithm.FIXED_WINDOW
        && at < course.begin(at) + SAME_END;
  }

  /**
   * Whether the store has lost it and granted permits since. The last grant may have been later
   * than it seems, since permits that came back are taken for spent.
   */
  private boolean isLost(Spent each, Spent last, List<Wipe> wipes, long until) {
    return wipes.stream()
        .filter(wipe -> each.grantedAt() <= wipe.time())
        .anyMatch(
            wipe ->
                wipe.time() <= last.at()
                    || of.hasGranted(last.region(), each.what().bucket(), wipe.time(), until));
  }

  /** Whether the first report of it came in time. */
  private boolean isTold(Course course, Spent each, Spent last, long begin) {
    SimulatedRegions.Way way =
        new SimulatedRegions.Way(each.region(), each.what().node(), last.region());
    StoreClock clock = course.clock();
    long learnedAt = Long.MIN_VALUE;
    for (SimulatedRegions.Reported report : of.reported.getOrDefault(way, List.of())) {
      if (clock.step() != 0 && learnedAt < clock.setAt() && report.at() >= clock.setAt()) {
        learnedAt = report.at() + LEARNED;
      }
      boolean isSet = report.at() < learnedAt;
      if (report.until() > each.knownAt()
          && !report.refused().contains(each.what().bucket())
          && !isSet) {
        boolean counts = report.at() - each.knownAt() < counts(each);
        return counts
            && clock.measured(report.at(), report.at()) >= begin
            && report.at() <= last.grantedAt();
      }
    }
    return false;
  }

  /** For how long it counts at least, so that a report is of use: a window, or a burst's drain. */
  private static long counts(Spent each) {
    Policy policy = each.what().policy();
    long window = policy.spec().windowMicros();
    return BucketSpec.hasBurst(policy.algorithm())
        ? window / policy.limit() * policy.burstFor(policy.limit())
        : window;
  }

  /** The most that was admitted in a window of the true time, in limits. */
  double most() {
    double most = 0;
    for (List<Spent> spent : all.values()) {
      Course course = course(spent, ANY);
      int from = 0;
      long sum = 0;
      for (int to = 0; to < course.at().length; to++) {
        sum += course.permits(to);
        while (!course.isInWindow(from, to)) {
          sum -= course.permits(from++);
        }
        most = Math.max(most, sum / (double) course.policy().limit());
      }
    }
    return most;
  }

  /** Returns the permits that a region has admitted since a time. */
  long admittedSince(int region, long time) {
    return all.values().stream()
        .flatMap(List::stream)
        .filter(each -> each.region() == region && each.at() >= time)
        .mapToLong(each -> each.what().permits())
        .sum();
  }

  /** Returns the permits of a bucket that were spent, or may have been, since a time. */
  long admittedSince(BucketId bucket, long time) {
    return all.getOrDefault(bucket, List.of()).stream()
        .filter(each -> each.at() >= time)
        .mapToLong(each -> each.what().permits())
        .sum();
  }

  /** Returns all permits that were admitted. */
  long admitted() {
    return all.values().stream()
        .flatMap(List::stream)
        .mapToLong(each -> each.what().permits())
        .sum();
  }

  /** The longest time, in microseconds, until use was known in another region. */
  long longestLag() {
    long longest = 0;
    for (List<SimulatedRegions.Reported> each : of.reported.values()) {
      for (int at = 1; at < each.size(); at++) {
        longest = Math.max(longest, each.get(at).at() - each.get(at - 1).until());
      }
    }
    return longest;
  }
}
