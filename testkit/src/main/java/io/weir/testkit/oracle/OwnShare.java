package io.weir.testkit.oracle;

import io.weir.Policy;
import io.weir.testkit.cluster.Admission;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * What one node admits of one bucket by itself: no more than its share, less what the store had
 * granted it and it had spent when it decided so.
 *
 * <p>Immutable.
 */
final class OwnShare {
  private final Bound whole;

  OwnShare(Policy policy) {
    this.whole = Bound.of(policy);
  }

  /** The first time that it admitted more, if ever. */
  Optional<Violation> excess(List<Admission> inOrder) {
    for (int i = 0; i < inOrder.size(); i++) {
      Admission last = inOrder.get(i);
      Bound share = whole.share(last.nodes());
      if (last.degraded()) {
        List<Admission> before = inOrder.subList(0, i + 1);
        long sum = granted(before, last) + own(before, last, share);
        if (sum > share.burst()) {
          String what = sum + " permits of a bucket at node " + last.node() + ", share " + share;
          return Optional.of(new Violation("share", what));
        }
      }
    }
    return Optional.empty();
  }

  private long granted(List<Admission> all, Admission last) {
    List<Admission> granted = all.stream().filter(each -> !each.degraded()).toList();
    return counting(granted, whole, Admission::time, last);
  }

  private long own(List<Admission> all, Admission last, Bound share) {
    List<Admission> own = all.stream().filter(Admission::degraded).toList();
    return counting(own, share, Admission::nodeTime, last);
  }

  /** How many permits still count when the last of all is admitted, by the algorithm's own idea. */
  private static long counting(
      List<Admission> some, Bound bound, ToLongFunction<Admission> clock, Admission last) {
    long now = clock.applyAsLong(last);
    long window = bound.window();
    return switch (bound.kind()) {
      case PER_WINDOW ->
          sum(some, each -> bound.windowOf(clock.applyAsLong(each)) == bound.windowOf(now));
      case PER_INTERVAL -> sum(some, each -> clock.applyAsLong(each) > now - window);
      case FLOW -> level(some, bound, clock, now);
      case STEPS -> stepped(some, bound, clock, now);
    };
  }

  private static long sum(List<Admission> some, Predicate<Admission> which) {
    return some.stream().filter(which).mapToLong(Admission::permits).sum();
  }

  // What hasn't been refilled, less a refill: the steps needn't be where this node's began.
  private static long stepped(
      List<Admission> some, Bound bound, ToLongFunction<Admission> clock, long now) {
    long used = 0;
    long next = now;
    for (Admission each : some) {
      long time = clock.applyAsLong(each);
      for (; used > 0 && time >= next; next += bound.window()) {
        used = Math.max(0, used - bound.refill());
      }
      next = used == 0 ? time + bound.window() : next;
      used += each.permits();
    }
    for (; used > 0 && now >= next; next += bound.window()) {
      used -= bound.refill();
    }
    return Math.max(0, used - bound.refill());
  }

  // What hasn't drained, rounded down.
  private static long level(
      List<Admission> some, Bound bound, ToLongFunction<Admission> clock, long now) {
    double level = 0;
    long at = some.isEmpty() ? now : clock.applyAsLong(some.get(0));
    for (Admission each : some) {
      long time = clock.applyAsLong(each);
      level = drained(level, time - at, bound) + each.permits();
      at = time;
    }
    return (long) (drained(level, now - at, bound) - 0.01);
  }

  private static double drained(double level, long micros, Bound bound) {
    return Math.max(0, level - (double) micros * bound.effectiveLimit() / bound.window());
  }
}
