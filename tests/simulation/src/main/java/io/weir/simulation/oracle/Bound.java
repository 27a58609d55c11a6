package io.weir.simulation.oracle;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import java.util.Optional;

/**
 * The most that a policy lets through, by the definition of its algorithm: in a window, or in any
 * interval of a window's length, or in any interval of any length.
 *
 * <p>Immutable.
 *
 * @param algorithm the definition
 * @param window microseconds
 * @param effectiveLimit permits per window
 * @param burst permits at once; the effective limit for window algorithms
 * @param ahead permits per window beyond that
 * @param calendar the windows, if they are those of a calendar; {@code window} is the longest then
 * @param refill permits that come back at once each window; 0 if they do evenly
 */
public record Bound(
    Algorithm algorithm,
    long window,
    long effectiveLimit,
    long burst,
    long ahead,
    Optional<CalendarWindow> calendar,
    long refill) {
  /** The kinds of interval that a limit is for. */
  enum Kind {
    /** Windows that are multiples of their length since the epoch, or those of a calendar. */
    PER_WINDOW,
    /** All intervals of a window's length. */
    PER_INTERVAL,
    /** All intervals of whatever length: a burst and what has been refilled. */
    FLOW,
    /** The same, if what is refilled comes at once each window. */
    STEPS
  }

  /**
   * A bound without a calendar and a refill.
   *
   * @param algorithm the definition
   * @param window microseconds
   * @param effectiveLimit permits per window
   * @param burst permits at once; the effective limit for window algorithms
   * @param ahead permits per window beyond that
   */
  public Bound(Algorithm algorithm, long window, long effectiveLimit, long burst, long ahead) {
    this(algorithm, window, effectiveLimit, burst, ahead, Optional.empty(), 0);
  }

  /** Returns the number of the window that a time lies in; of a calendar when it began. */
  long windowOf(long micros) {
    return calendar.isPresent() ? calendar.get().begin(micros) : Math.floorDiv(micros, window);
  }

  /**
   * Returns the kind of interval of this bound: the one place where the oracle knows the
   * algorithms.
   */
  Kind kind() {
    if (refill > 0) {
      return Kind.STEPS;
    }
    return switch (algorithm) {
      case FIXED_WINDOW -> Kind.PER_WINDOW;
      case SLIDING_WINDOW, SLIDING_LOG -> Kind.PER_INTERVAL;
      case TOKEN_BUCKET, LEAKY_BUCKET -> Kind.FLOW;
    };
  }

  /**
   * Returns the bound for all nodes together with the store.
   *
   * @param policy the policy
   * @return the most that any load of the nodes allows
   */
  public static Bound of(Policy policy) {
    long limit = policy.limit();
    long excess = policy.mode() == Mode.HARD ? 0 : limit * policy.exceedBy() / 100;
    long effectiveLimit = limit + excess;
    long burst = policy.burstFor(limit);
    return new Bound(
        policy.algorithm(),
        policy.window().toNanos() / 1_000,
        effectiveLimit,
        BucketSpec.hasBurst(policy.algorithm()) ? burst + burst * excess / limit : effectiveLimit,
        limit * policy.overshoot() / 100,
        policy.spec().calendar(),
        policy.refillFor(effectiveLimit));
  }

  /**
   * Returns the bound for one of several nodes by itself.
   *
   * @param nodes how many, 1 and more
   * @return an equal share, at least one permit
   */
  public Bound share(int nodes) {
    return new Bound(
        algorithm,
        window,
        Math.max(1, effectiveLimit / nodes),
        Math.max(1, burst / nodes),
        0,
        calendar,
        refill == 0 ? 0 : Math.max(1, refill / nodes));
  }

  /**
   * Permits beyond what is allowed, in the worst interval.
   *
   * @param times when permits were spent, in microseconds, never running back
   * @param permits how many each time
   * @return 0 if there are none
   */
  public long excess(long[] times, long[] permits) {
    return switch (kind()) {
      case PER_WINDOW -> perWindow(times, permits);
      case PER_INTERVAL -> perInterval(times, permits);
      case FLOW -> ahead == 0 ? flow(times, permits) : ahead(times, permits);
      case STEPS -> steps(times, permits);
    };
  }

  private long perWindow(long[] times, long[] permits) {
    long worst = 0;
    long sum = 0;
    for (int i = 0; i < times.length; i++) {
      boolean same = i > 0 && windowOf(times[i]) == windowOf(times[i - 1]);
      sum = (same ? sum : 0) + permits[i];
      worst = Math.max(worst, sum - effectiveLimit - ahead);
    }
    return worst;
  }

  private long perInterval(long[] times, long[] permits) {
    long worst = 0;
    long sum = 0;
    int first = 0;
    for (int i = 0; i < times.length; i++) {
      sum += permits[i];
      while (times[first] <= times[i] - window) {
        sum -= permits[first++];
      }
      worst = Math.max(worst, sum - effectiveLimit - ahead);
    }
    return worst;
  }

  // In [t, u] at most burst + limit × (u − t) ÷ window: the largest difference of permits × window
  // − limit × time from a minimum before.
  private long flow(long[] times, long[] permits) {
    long worst = 0;
    long sum = 0;
    long lowest = Long.MAX_VALUE;
    for (int i = 0; i < times.length; i++) {
      long drained = (times[i] - times[0]) * effectiveLimit;
      lowest = Math.min(lowest, sum * window - drained);
      sum += permits[i];
      long beyond = sum * window - drained - lowest - burst * window;
      worst = Math.max(worst, -Math.floorDiv(-beyond, window));
    }
    return worst;
  }

  // In any interval shorter than n windows at most burst and n refills.
  private long steps(long[] times, long[] permits) {
    long worst = 0;
    long longest = times.length == 0 ? 0 : times[times.length - 1] - times[0];
    for (long n = 1; n <= longest / window + 1; n++) {
      long sum = 0;
      int first = 0;
      for (int i = 0; i < times.length; i++) {
        sum += permits[i];
        while (times[first] <= times[i] - n * window) {
          sum -= permits[first++];
        }
        worst = Math.max(worst, sum - burst - n * (refill + ahead));
      }
    }
    return worst;
  }

  // What may be borrowed once in a window's length counts once for each that an interval touches.
  private long ahead(long[] times, long[] permits) {
    if (flow(times, permits) <= ahead) {
      return 0;
    }
    long worst = 0;
    for (int from = 0; from < times.length; from++) {
      long sum = 0;
      for (int to = from; to < times.length; to++) {
        sum += permits[to];
        long length = times[to] - times[from];
        long most = burst + effectiveLimit * length / window + ahead * (length / window + 1);
        worst = Math.max(worst, sum - most);
      }
    }
    return worst;
  }
}
