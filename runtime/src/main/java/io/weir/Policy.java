package io.weir;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one annotation becomes: how many permits a window has, for whom, and what happens at the
 * limit.
 *
 * <p>Immutable. Made by a {@link #builder}. Two policies of one name share their buckets as long as
 * their {@linkplain #spec() specs} are equal.
 */
public final class Policy {
  /** The largest limit, burst or number of permits: a thousand million. */
  public static final long MAX_LIMIT = 1_000_000_000L;

  /** The largest {@link #exceedBy()}, in percent. */
  public static final int MAX_EXCEED_BY = 1000;

  /** The largest {@link #overshoot()}, in percent. */
  public static final int MAX_OVERSHOOT = 100;

  private final BucketSpec spec;
  private final long limit;
  private final Mode mode;
  private final int exceedBy;
  private final long cost;
  private final String costFrom;
  private final String when;
  private final Priority priority;
  private final Count count;
  private final Map<String, Long> tiers;
  private final int overshoot;
  private final OnStoreFailure onStoreFailure;
  private final boolean shadow;
  private final List<By> by;
  private final List<String> keys;

  Policy(PolicyBuilder parts, BucketSpec spec) {
    this.spec = spec;
    this.limit = parts.limit;
    this.mode = parts.mode;
    this.exceedBy = parts.exceedBy;
    this.cost = parts.cost;
    this.costFrom = parts.costFrom;
    this.when = parts.when;
    this.priority = parts.priority;
    this.count = parts.count;
    this.tiers = Map.copyOf(parts.tiers);
    this.overshoot = parts.overshoot;
    this.onStoreFailure = parts.onStoreFailure;
    this.shadow = parts.shadow;
    this.by = List.copyOf(parts.by);
    this.keys = List.copyOf(parts.keys);
  }

  private Policy(Policy enforced) {
    this.spec = enforced.spec;
    this.limit = enforced.limit;
    this.mode = enforced.mode;
    this.exceedBy = enforced.exceedBy;
    this.cost = enforced.cost;
    this.costFrom = enforced.costFrom;
    this.when = enforced.when;
    this.priority = enforced.priority;
    this.count = enforced.count;
    this.tiers = enforced.tiers;
    this.overshoot = enforced.overshoot;
    this.onStoreFailure = enforced.onStoreFailure;
    this.shadow = true;
    this.by = enforced.by;
    this.keys = enforced.keys;
  }

  /**
   * How many permits at once {@code exceedBy} adds, rounded down.
   *
   * @param burst permits at once within the limit, 1 to 1,000,000,000
   * @param limit permits per window, 1 to 1,000,000,000
   * @param exceedBy percent, 0 to 1000
   * @return permits that SOFT admits and marks
   */
  public static long excess(long burst, long limit, int exceedBy) {
    long ofLimit = limit * exceedBy / 100;
    // In two steps, since the product may not fit into a long.
    return burst * (ofLimit / limit) + burst * (ofLimit % limit) / limit;
  }

  /**
   * Checks what is known to be used.
   *
   * @param used permits
   * @throws IllegalArgumentException if it is negative, or more than 0 and the window isn't a
   *     {@linkplain io.weir.store.CalendarWindow#isPeriod() period}
   */
  public void requireUsed(long used) {
    if (used < 0 || used > 0 && !spec.isOfPeriod()) {
      throw new IllegalArgumentException(
          "used must be 0 and more, and 0 unless the window is a period, not " + used);
    }
  }

  /**
   * Starts a policy of the given name with the annotation's defaults.
   *
   * @param name {@code [A-Za-z0-9._-]{1,64}}
   * @return a builder that still needs limit and window
   */
  public static PolicyBuilder builder(String name) {
    return new PolicyBuilder(name);
  }

  /**
   * The policy's name in headers, metrics and settings.
   *
   * @return the spec's name
   */
  public String name() {
    return spec.name();
  }

  /**
   * The length of the window; of windows by the calendar, which differ, how long they are at most.
   *
   * @return the spec's window
   */
  public Duration window() {
    return spec.window();
  }

  /**
   * How permits are counted over time.
   *
   * @return the spec's algorithm
   */
  public Algorithm algorithm() {
    return spec.algorithm();
  }

  /**
   * Name, algorithm, window or calendar, burst and refill.
   *
   * @return what buckets of this policy are made of
   */
  public BucketSpec spec() {
    return spec;
  }

  /**
   * How many permits a window has.
   *
   * @return 1 to 1,000,000,000
   */
  public long limit() {
    return limit;
  }

  /**
   * What happens at the limit.
   *
   * @return the mode
   */
  public Mode mode() {
    return mode;
  }

  /**
   * How far SOFT and ELASTIC may go above the limit.
   *
   * @return percent, 0 to 1000
   */
  public int exceedBy() {
    return exceedBy;
  }

  /**
   * Permits that a request takes.
   *
   * @return 1 up to the burst
   */
  public long cost() {
    return cost;
  }

  /**
   * Where the adapters find the cost of a request.
   *
   * @return an expression or a name as in the annotation; empty: it doesn't depend on the request
   */
  public String costFrom() {
    return costFrom;
  }

  /**
   * Which requests the adapters ask it for.
   *
   * @return the name of a request condition; empty: all
   */
  public String when() {
    return when;
  }

  /**
   * How much of the limit it gives up while its node is busy.
   *
   * @return the priority
   */
  public Priority priority() {
    return priority;
  }

  /**
   * Which requests count in the end.
   *
   * @return all, failures or successes
   */
  public Count count() {
    return count;
  }

  /**
   * The limits of tiers.
   *
   * @return limits by the name of a tier; unmodifiable
   */
  public Map<String, Long> tiers() {
    return tiers;
  }

  /**
   * How far a cluster may admit ahead of its store.
   *
   * @return percent, 0 to 100
   */
  public int overshoot() {
    return overshoot;
  }

  /**
   * How to decide while the store is away.
   *
   * @return local, open, closed, or what the settings say
   */
  public OnStoreFailure onStoreFailure() {
    return onStoreFailure;
  }

  /**
   * Whether it is in shadow mode: it counts and reports what it would refuse, and refuses nobody.
   *
   * @return true in shadow mode
   */
  public boolean shadow() {
    return shadow;
  }

  /**
   * The same in shadow mode.
   *
   * @return this if it is in shadow mode already
   */
  public Policy inShadow() {
    return shadow ? this : new Policy(this);
  }

  /**
   * Whom it counts, for the adapters; by hand the key is given with each call.
   *
   * @return at least one; unmodifiable
   */
  public List<By> by() {
    return by;
  }

  /**
   * What {@code by = KEY} reads.
   *
   * @return expressions as in the annotation; unmodifiable
   */
  public List<String> keys() {
    return keys;
  }

  /**
   * How many permits a fresh bucket has at once.
   *
   * @param callerLimit the limit that holds, that of a tier for example; 1 to 1,000,000,000
   * @return the limit for the window algorithms, the burst for the others
   */
  public long burstFor(long callerLimit) {
    return spec.burstFor(callerLimit);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof Policy that
            && limit == that.limit
            && exceedBy == that.exceedBy
            && cost == that.cost
            && overshoot == that.overshoot
            && shadow == that.shadow
            && mode == that.mode
            && count == that.count
            && priority == that.priority
            && costFrom.equals(that.costFrom)
            && when.equals(that.when)
            && onStoreFailure == that.onStoreFailure
            && spec.equals(that.spec)
            && tiers.equals(that.tiers)
            && by.equals(that.by)
            && keys.equals(that.keys);
  }

  @Override
  public int hashCode() {
    return Objects.hash(spec, limit, mode, exceedBy, cost, count, tiers, by, keys);
  }

  /** Its name, limit and window. */
  @Override
  public String toString() {
    return name() + ": " + limit + " per " + window() + ", " + algorithm() + ", " + mode;
  }

  static void requireLimit(String member, long value) {
    if (value < 1 || value > MAX_LIMIT) {
      throw new IllegalArgumentException(member + " must be 1 to 1,000,000,000, not " + value);
    }
  }
}
