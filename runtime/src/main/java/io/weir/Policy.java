package io.weir;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.annotation.Scope;
import io.weir.internal.value.DurationText;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Limits callers: the permits per window, the way to identify callers, and the behaviour at the
 * limit. Each {@link io.weir.annotation.RateLimit} becomes one.
 *
 * <p>Immutable. Made by a {@link #builder}. Two policies of one name share their buckets if their
 * {@linkplain #spec() specs} are equal.
 */
public final class Policy {
  /** The largest limit, burst or number of permits: 1,000,000,000. */
  public static final long MAX_LIMIT = 1_000_000_000L;

  /** The largest {@link #exceedBy()}, in percent. */
  public static final int MAX_EXCEED_BY = 1000;

  /** The largest {@link #overshoot()}, in percent. */
  public static final int MAX_OVERSHOOT = 100;

  /**
   * The largest limit of a policy whose failures a success clears, since each is kept by itself.
   */
  public static final long MAX_CLEARED = 1_000;

  private final BucketSpec spec;
  private final long limit;
  private final long refill;
  private final Mode mode;
  private final int exceedBy;
  private final long cost;
  private final String costFrom;
  private final String when;
  private final Priority priority;
  private final Count count;
  private final Map<String, Long> tiers;
  private final Map<String, Policy> tiersWithRefill;
  private final int overshoot;
  private final OnStoreFailure onStoreFailure;
  private final boolean shadow;
  private final List<By> by;
  private final List<String> keys;
  private final Optional<BanTerms> ban;

  Policy(PolicyBuilder parts, BucketSpec spec) {
    this.spec = spec;
    this.limit = parts.limit;
    this.refill = spec.hasRefill() ? parts.refill : 0;
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
    this.ban = parts.ban.terms(spec.window());
    Map<String, Policy> withRefill = new HashMap<>();
    parts.tierRefills.forEach(
        (tier, comesBack) -> {
          long tierLimit = Objects.requireNonNull(parts.tiers.get(tier));
          withRefill.put(tier, new Policy(this, tierLimit, comesBack, shadow, Map.of()));
        });
    this.tiersWithRefill = Map.copyOf(withRefill);
  }

  private Policy(
      Policy enforced,
      long limit,
      long refill,
      boolean shadow,
      Map<String, Policy> tiersWithRefill) {
    this.spec = enforced.spec;
    this.limit = limit;
    this.refill = refill;
    this.mode = enforced.mode;
    this.exceedBy = enforced.exceedBy;
    this.cost = enforced.cost;
    this.costFrom = enforced.costFrom;
    this.when = enforced.when;
    this.priority = enforced.priority;
    this.count = enforced.count;
    this.tiers = enforced.tiers;
    this.tiersWithRefill = tiersWithRefill;
    this.overshoot = enforced.overshoot;
    this.onStoreFailure = enforced.onStoreFailure;
    this.shadow = shadow;
    this.by = enforced.by;
    this.keys = enforced.keys;
    this.ban = enforced.ban;
  }

  /**
   * Computes the excess that {@code exceedBy} adds to the burst, rounded down.
   *
   * @param burst permits at once within the limit, 1 to 1,000,000,000
   * @param limit permits per window, 1 to 1,000,000,000
   * @param exceedBy percent, 0 to 1000
   * @return the permits that SOFT admits and marks
   */
  public static long excess(long burst, long limit, int exceedBy) {
    long ofLimit = limit * exceedBy / 100;
    // In two steps, since the product may not fit into a long.
    return burst * (ofLimit / limit) + burst * (ofLimit % limit) / limit;
  }

  /**
   * Validates the permits that a caller is known to have used.
   *
   * @param used permits
   * @throws IllegalArgumentException if it is negative, or more than 0 and the window isn't a
   *     {@linkplain io.weir.store.CalendarWindow#isPeriod() period}
   */
  public void requireUsed(long used) {
    if (used < 0 || used > 0 && !spec.isOfPeriod()) {
      throw new IllegalArgumentException(
          "used must be at least 0, and 0 unless the window is a period, not " + used);
    }
  }

  /**
   * Starts a policy with the annotation's defaults.
   *
   * @param name {@code [A-Za-z0-9._-]{1,64}}
   * @return a builder that still needs limit and window
   */
  public static PolicyBuilder builder(String name) {
    return new PolicyBuilder(name);
  }

  /**
   * Returns the policy's name in headers, metrics and settings.
   *
   * @return the spec's name
   */
  public String name() {
    return spec.name();
  }

  /**
   * Returns the length of the window; the maximum length of calendar windows, which differ.
   *
   * @return the spec's window
   */
  public Duration window() {
    return spec.window();
  }

  /**
   * Returns the algorithm that counts permits over time.
   *
   * @return the spec's algorithm
   */
  public Algorithm algorithm() {
    return spec.algorithm();
  }

  /**
   * Returns the definition of the policy's buckets: name, algorithm, window or calendar, burst, and
   * whether permits come back evenly or at once.
   *
   * @return the spec
   */
  public BucketSpec spec() {
    return spec;
  }

  /**
   * Returns the permits per window.
   *
   * @return 1 to 1,000,000,000
   */
  public long limit() {
    return limit;
  }

  /**
   * Returns the permits that come back at once with each whole window under the policy's own limit.
   *
   * @return 0: the limit comes back evenly within a window; else 1 up to the limit
   */
  public long refill() {
    return refill;
  }

  /**
   * Returns the permits that come back at once with each whole window under another limit: as many
   * in proportion, rounded down, and at least one.
   *
   * @param callerLimit the limit that applies, such as that of a tier or with the excess of the
   *     mode; 1 to 11,000,000,000
   * @return 0: that limit comes back evenly within a window; else 1 up to that limit
   */
  public long refillFor(long callerLimit) {
    if (refill == 0) {
      return 0;
    }
    // In two steps, since the product may not fit into a long.
    long back = refill * (callerLimit / limit) + refill * (callerLimit % limit) / limit;
    return Math.max(1, back);
  }

  /**
   * Returns the behaviour at the limit.
   *
   * @return the mode
   */
  public Mode mode() {
    return mode;
  }

  /**
   * Returns the excess above the limit that SOFT and ELASTIC admit.
   *
   * @return percent, 0 to 1000
   */
  public int exceedBy() {
    return exceedBy;
  }

  /**
   * Returns the permits that a request takes.
   *
   * @return 1 up to the burst
   */
  public long cost() {
    return cost;
  }

  /**
   * Returns the expression from which the adapters read the cost of a request.
   *
   * @return an expression or a name as in the annotation; empty if the cost doesn't depend on the
   *     request
   */
  public String costFrom() {
    return costFrom;
  }

  /**
   * Returns the condition under which the policy applies to a request.
   *
   * @return the name of a request condition; empty for all requests
   */
  public String when() {
    return when;
  }

  /**
   * Returns the priority by which it reduces its limit while its node is busy.
   *
   * @return the priority
   */
  public Priority priority() {
    return priority;
  }

  /**
   * Returns the requests that count.
   *
   * @return all, failures or successes
   */
  public Count count() {
    return count;
  }

  /**
   * Returns what makes the policy forget the failures that it has counted.
   *
   * @return nothing, or a success
   */
  public ClearOn clearOn() {
    return spec.clears() ? ClearOn.SUCCESS : ClearOn.NOTHING;
  }

  /**
   * Returns the limits of tiers.
   *
   * @return limits by the name of the tier; unmodifiable
   */
  public Map<String, Long> tiers() {
    return tiers;
  }

  /**
   * Returns the permits that a cluster may admit ahead of its store.
   *
   * @return percent, 0 to 100
   */
  public int overshoot() {
    return overshoot;
  }

  /**
   * Returns the way to decide while the store can't be reached.
   *
   * @return local, open, closed, or the default of the settings
   */
  public OnStoreFailure onStoreFailure() {
    return onStoreFailure;
  }

  /**
   * Returns the reach of its limit in an application that runs in several regions.
   *
   * @return all regions together, or each by itself
   */
  public Scope scope() {
    return spec.isOfRegion() ? Scope.REGION : Scope.GLOBAL;
  }

  /**
   * Returns whether it is in shadow mode: it counts and reports refusals but doesn't refuse.
   *
   * @return true in shadow mode
   */
  public boolean shadow() {
    return shadow;
  }

  /**
   * Returns this policy in shadow mode.
   *
   * @return a copy; this policy if it is in shadow mode already
   */
  public Policy inShadow() {
    if (shadow) {
      return this;
    }
    Map<String, Policy> shadows = new HashMap<>();
    tiersWithRefill.forEach((tier, policy) -> shadows.put(tier, policy.inShadow()));
    return new Policy(this, limit, refill, true, Map.copyOf(shadows));
  }

  /**
   * Returns the policy by which to decide requests of a tier, under the limit that {@link #tiers()}
   * has for it.
   *
   * @param tier a tier's name, listed or not
   * @return this policy; if the tier has a refill of its own, one with the tier's limit and refill,
   *     and with the same buckets
   */
  public Policy forTier(String tier) {
    return tiersWithRefill.getOrDefault(tier, this);
  }

  /**
   * Returns the way in which adapters identify callers; calls of the API pass a key instead.
   *
   * @return at least one; unmodifiable
   */
  public List<By> by() {
    return by;
  }

  /**
   * Returns the texts that {@code by = KEY} reads.
   *
   * @return expressions as in the annotation; unmodifiable
   */
  public List<String> keys() {
    return keys;
  }

  /**
   * Returns the terms under which adapters ban callers.
   *
   * @return empty if nobody is banned
   */
  public Optional<BanTerms> ban() {
    return ban;
  }

  /**
   * Returns the permits at once of a full bucket.
   *
   * @param callerLimit the limit that applies, such as that of a tier; 1 to 1,000,000,000
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
            && refill == that.refill
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
            && tiersWithRefill.equals(that.tiersWithRefill)
            && by.equals(that.by)
            && keys.equals(that.keys)
            && ban.equals(that.ban);
  }

  @Override
  public int hashCode() {
    return Objects.hash(spec, limit, refill, mode, exceedBy, cost, count, tiers, by, keys);
  }

  /** Returns name, limit, window, algorithm and mode. */
  @Override
  public String toString() {
    return name()
        + ": "
        + limit
        + " per "
        + DurationText.asWindow(window())
        + ", "
        + algorithm()
        + ", "
        + mode;
  }

  static void requireLimit(String member, long value) {
    if (value < 1 || value > MAX_LIMIT) {
      throw new IllegalArgumentException(member + " must be 1 to 1,000,000,000, not " + value);
    }
  }
}
