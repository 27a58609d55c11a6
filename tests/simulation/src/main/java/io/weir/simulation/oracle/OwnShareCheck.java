package io.weir.simulation.oracle;

import io.weir.Policy;
import io.weir.testkit.cluster.Admission;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Checks what one node admits of one bucket by itself: no more than its share, less what the store
 * had granted it and it had spent when it decided so.
 *
 * <p>Immutable.
 */
final class OwnShareCheck {
  private final Bound whole;

  OwnShareCheck(Policy policy) {
    this.whole = Bound.of(policy);
  }

  /** Returns the first time that it admitted more, if ever. */
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
    return counting(granted, whole, Admission::time, each -> whole, last);
  }

  private long own(List<Admission> all, Admission last, Bound share) {
    List<Admission> own = all.stream().filter(Admission::degraded).toList();
    return counting(own, share, Admission::nodeTime, each -> whole.share(each.nodes()), last);
  }

  /**
   * Returns the permits that still count when the last of all is admitted, by the algorithm's own
   * definition.
   */
  private static long counting(
      List<Admission> some,
      Bound bound,
      ToLongFunction<Admission> clock,
      Function<Admission, Bound> inForce,
      Admission last) {
    long now = clock.applyAsLong(last);
    long window = bound.window();
    return switch (bound.kind()) {
      case PER_WINDOW ->
          sum(some, each -> bound.windowOf(clock.applyAsLong(each)) == bound.windowOf(now));
      case PER_INTERVAL -> sum(some, each -> clock.applyAsLong(each) > now - window);
      case FLOW -> level(some, clock, inForce, last);
      case STEPS -> stepped(some, bound, clock, now);
    };
  }

  private static long sum(List<Admission> some, Predicate<Admission> which) {
    return some.stream().filter(which).mapToLong(Admission::permits).sum();
  }

  // Permits that haven't been refilled, less a refill: the steps needn't be where this node's
  // began.
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

  // Permits that haven't drained, rounded down. When nodes come or go the share changes somewhere
  // between two admissions, so a level drains there as fast as under the larger one.
  private static long level(
      List<Admission> some,
      ToLongFunction<Admission> clock,
      Function<Admission, Bound> inForce,
      Admission last) {
    double level = 0;
    Admission before = some.isEmpty() ? last : some.get(0);
    for (Admission each : some) {
      level = drained(level, before, each, clock, inForce) + each.permits();
      before = each;
    }
    return (long) (drained(level, before, last, clock, inForce) - 0.01);
  }

  private static double drained(
      double level,
      Admission from,
      Admission to,
      ToLongFunction<Admission> clock,
      Function<Admission, Bound> inForce) {
    long micros = clock.applyAsLong(to) - clock.applyAsLong(from);
    return Math.max(
        0, level - micros * Math.max(rate(inForce.apply(from)), rate(inForce.apply(to))));
  }

  private static double rate(Bound bound) {
    return (double) bound.effectiveLimit() / bound.window();
  }
}
