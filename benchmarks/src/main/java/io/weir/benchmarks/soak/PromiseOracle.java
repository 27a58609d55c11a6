package io.weir.benchmarks.soak;

import io.weir.annotation.Algorithm;
import io.weir.benchmarks.soak.PermitCount.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Sums up what all nodes have counted, and finds the bucket and the interval with the most beyond
 * what is promised. What lies across the edges of an interval doesn't count in it, so there are no
 * false violations.
 *
 * <p>Confine to one thread.
 */
final class PromiseOracle {
  private static final int ALL = -1;

  /**
   * The source of a count: a node for its own decisions, all nodes together for grants of the
   * store.
   */
  private record Bucket(SoakLoadKind load, int key, int node) {}

  /** When the store lost something, in microseconds since 1970. */
  private record Loss(long from, long to) {
    boolean meets(long first, long end) {
      return from < end && to >= first;
    }
  }

  /**
   * The worst, in percent of the limit. Immutable.
   *
   * @param beyond what is promised
   * @param afterLoss the same where an interval has a loss of data in the store
   */
  record Excess(double beyond, double afterLoss) {
    Excess worse(Excess other) {
      return new Excess(Math.max(beyond, other.beyond), Math.max(afterLoss, other.afterLoss));
    }
  }

  private final int nodes;
  private final Map<Bucket, TreeMap<Long, Map<Long, Long>>> buckets = new HashMap<>();
  private final List<Loss> losses = new ArrayList<>();

  PromiseOracle(int nodes) {
    this.nodes = nodes;
  }

  void add(int node, PermitCount count) {
    Place place = count.place();
    Bucket bucket = new Bucket(place.load(), place.key(), place.degraded() ? node : ALL);
    buckets
        .computeIfAbsent(bucket, any -> new TreeMap<>())
        .computeIfAbsent(place.asked(), any -> new HashMap<>())
        .merge(place.told(), count.permits(), Long::sum);
  }

  /** The store lost some of what it knew, at some time between these. */
  void lost(long fromMicros, long toMicros) {
    losses.add(new Loss(fromMicros, toMicros));
  }

  Excess worst() {
    Excess worst = new Excess(0, 0);
    for (Map.Entry<Bucket, TreeMap<Long, Map<Long, Long>>> each : buckets.entrySet()) {
      worst = worst.worse(excess(each.getKey(), each.getValue()));
    }
    return worst;
  }

  private Excess excess(Bucket bucket, NavigableMap<Long, Map<Long, Long>> counts) {
    long limit = bucket.node == ALL ? bucket.load.most() : bucket.load.share(nodes);
    return bucket.load.algorithm() == Algorithm.TOKEN_BUCKET
        ? ofBucket(bucket, counts, limit)
        : ofWindows(bucket, counts, limit);
  }

  private Excess ofWindows(Bucket bucket, NavigableMap<Long, Map<Long, Long>> counts, long limit) {
    Excess worst = new Excess(0, 0);
    boolean fixed = bucket.load.algorithm() == Algorithm.FIXED_WINDOW;
    for (long slot : counts.keySet()) {
      long first = fixed ? Math.floorDiv(slot, SoakLoadKind.SLOTS) * SoakLoadKind.SLOTS : slot;
      long sum = within(counts, first, first + SoakLoadKind.SLOTS);
      worst = worst.worse(excess(bucket, sum - limit, limit, first, first + SoakLoadKind.SLOTS));
    }
    return worst;
  }

  private static long within(NavigableMap<Long, Map<Long, Long>> counts, long first, long end) {
    long sum = 0;
    for (Map<Long, Long> told : counts.subMap(first, end).values()) {
      for (Map.Entry<Long, Long> each : told.entrySet()) {
        sum += each.getKey() < end ? each.getValue() : 0;
      }
    }
    return sum;
  }

  private Excess excess(Bucket bucket, long over, long limit, long first, long end) {
    long slot = bucket.load.slotMicros();
    double percent = 100.0 * Math.max(0, over) / limit;
    return losses.stream().anyMatch(each -> each.meets(first * slot, end * slot))
        ? new Excess(0, percent)
        : new Excess(percent, 0);
  }

  // The most that any interval has beyond what came in since its first slot: each slot takes from
  // it what comes in, and it is never worth going on with less than nothing.
  private Excess ofBucket(Bucket bucket, NavigableMap<Long, Map<Long, Long>> counts, long limit) {
    Excess worst = new Excess(0, 0);
    double perSlot = (double) limit / SoakLoadKind.SLOTS;
    double level = 0;
    long first = 0;
    long last = Long.MIN_VALUE / 2;
    for (long slot : counts.keySet()) {
      level -= perSlot * Math.min(slot - last - 1, 1_000_000);
      if (level <= 0) {
        level = 0;
        first = slot;
      }
      level += within(counts, slot, slot + 1) - perSlot;
      last = slot;
      long over = (long) Math.floor(level) - limit;
      worst = worst.worse(excess(bucket, over, limit, first, slot + 1));
    }
    return worst;
  }
}
