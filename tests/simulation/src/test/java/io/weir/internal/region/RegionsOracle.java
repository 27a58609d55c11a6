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

/**
 * Determines whether regions together have admitted more than the bound of docs/design/regions.md:
 * of all permits that were spent in a window, take those that the store of the last grant knew of,
 * or had been told of. They are within the limit.
 *
 * <p>Confine to one thread.
 */
final class RegionsOracle {
  private final SimulatedRegions of;
  private final List<Report> reports = new ArrayList<>();
  private final Map<BucketId, List<Spent>> all = new HashMap<>();

  /** Permits that a region has spent. */
  private record Spent(int region, Admission what, long grantedAt, long knownAt) {
    long at() {
      return what.spent();
    }
  }

  RegionsOracle(SimulatedRegions of) {
    this.of = of;
    for (int region = 0; region < of.clusters.size(); region++) {
      Report report = of.clusters.get(region).report();
      reports.add(report);
      for (Admission each : report.admissions()) {
        if (!each.degraded()) {
          all.computeIfAbsent(each.bucket(), any -> new ArrayList<>()).add(spent(region, each));
        }
      }
    }
    all.values().forEach(each -> each.sort(Comparator.comparingLong(Spent::at)));
  }

  private Spent spent(int region, Admission each) {
    SimulatedRegions.Granted granted =
        of.grants.get(new SimulatedRegions.Stamp(region, each.node(), each.bucket(), each.stamp()));
    return granted == null
        ? new Spent(region, each, each.spent(), each.time())
        : new Spent(region, each, granted.first, granted.last);
  }

  /** Returns what was broken: a region's own promises, or the bound of all together. */
  List<String> violations() {
    List<String> broken = new ArrayList<>();
    for (Report each : reports) {
      new Oracle(each, OnStoreFailure.LOCAL)
          .violations()
          .forEach(violation -> broken.add("own " + violation));
    }
    all.forEach(
        (bucket, spent) -> {
          long excess = excess(spent);
          if (excess > 0) {
            broken.add("regions: " + excess + " permits too many of " + bucket);
          }
        });
    return broken;
  }

  private long excess(List<Spent> spent) {
    long worst = 0;
    for (int to = 0; to < spent.size(); to++) {
      Spent end = spent.get(to);
      long window = end.what().policy().spec().windowMicros();
      boolean isFlow = BucketSpec.hasBurst(end.what().policy().algorithm());
      int from = to;
      while (from > 0 && (isFlow || isInWindow(spent.get(from - 1), end, window))) {
        from--;
      }
      if (!isFlow) {
        worst = Math.max(worst, known(spent, from, to) - limit(end));
        continue;
      }
      for (int begin = from; begin <= to; begin++) {
        long length = end.at() - spent.get(begin).at();
        long most = end.what().policy().burstFor(limit(end)) + limit(end) * length / window;
        long sum = 0;
        for (int at = begin; at <= to; at++) {
          sum += spent.get(at).what().permits();
        }
        if (sum > most) {
          worst = Math.max(worst, known(spent, begin, to) - most);
        }
      }
    }
    return worst;
  }

  private static boolean isInWindow(Spent one, Spent end, long window) {
    return end.what().policy().algorithm() == Algorithm.FIXED_WINDOW
        ? Math.floorDiv(one.at(), window) == Math.floorDiv(end.at(), window)
        : one.at() > end.at() - window;
  }

  private static long limit(Spent one) {
    return one.what().policy().limit();
  }

  /** Permits that the store of the last grant knew of, or had been told of. */
  private long known(List<Spent> spent, int from, int to) {
    Spent last = spent.get(from);
    for (int at = from; at <= to; at++) {
      last = spent.get(at).grantedAt() > last.grantedAt() ? spent.get(at) : last;
    }
    List<Wipe> wipes = reports.get(last.region()).wipes();
    long sum = 0;
    for (int at = from; at <= to; at++) {
      Spent each = spent.get(at);
      boolean knows =
          each.region() == last.region()
              ? wipes.stream().noneMatch(wipe -> wipe.forgets(each.what()))
              : isTold(each, last, wipes, begin(last, spent.get(from)));
      sum += knows ? each.what().permits() : 0;
    }
    return sum;
  }

  /**
   * Since when a debt must have been charged to count. One that was charged before its permit was
   * spent, from a lease, counts less than a window after that.
   */
  private static long begin(Spent last, Spent first) {
    Policy policy = last.what().policy();
    if (policy.algorithm() == Algorithm.FIXED_WINDOW) {
      return Long.MIN_VALUE;
    }
    return BucketSpec.hasBurst(policy.algorithm())
        ? first.at()
        : last.grantedAt() - policy.spec().windowMicros();
  }

  /** Whether the first report of it came in time, and isn't lost again. */
  private boolean isTold(Spent each, Spent last, List<Wipe> wipes, long begin) {
    SimulatedRegions.Way way =
        new SimulatedRegions.Way(each.region(), each.what().node(), last.region());
    for (SimulatedRegions.Reported report : of.reported.getOrDefault(way, List.of())) {
      if (report.until() > each.knownAt()) {
        boolean counts = report.until() - each.knownAt() < counts(each);
        boolean isLost =
            wipes.stream()
                .anyMatch(wipe -> each.grantedAt() <= wipe.time() && wipe.time() <= last.at());
        return counts && report.at() >= begin && report.at() <= last.grantedAt() && !isLost;
      }
    }
    return false;
  }

  /** For how long it counts at least, so that a node reports it: a window, or a burst's drain. */
  private static long counts(Spent each) {
    Policy policy = each.what().policy();
    long window = policy.spec().windowMicros();
    return BucketSpec.hasBurst(policy.algorithm())
        ? window / limit(each) * policy.burstFor(limit(each))
        : window;
  }

  /** The most that was admitted in a window, in limits. */
  double most() {
    double most = 0;
    for (List<Spent> spent : all.values()) {
      int from = 0;
      long sum = 0;
      for (Spent end : spent) {
        sum += end.what().permits();
        long window = end.what().policy().spec().windowMicros();
        while (!isInWindow(spent.get(from), end, window)) {
          sum -= spent.get(from++).what().permits();
        }
        most = Math.max(most, sum / (double) limit(end));
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
