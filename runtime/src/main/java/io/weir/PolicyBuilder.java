package io.weir;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.annotation.RateLimit;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects the members of a {@link Policy}; each has the annotation's default until it is set.
 *
 * <p>Confine to one thread.
 */
public final class PolicyBuilder {
  private static final RateLimit DEFAULTS =
      Objects.requireNonNull(Defaults.class.getAnnotation(RateLimit.class));

  private final String name;
  long limit;
  private WindowLength window = WindowLength.of(Duration.ZERO);
  private String zone = DEFAULTS.zone();
  private @Nullable Algorithm algorithm;
  private long burst = DEFAULTS.burst();
  private long refill = DEFAULTS.refill();
  private boolean strict = DEFAULTS.strict();
  Mode mode = DEFAULTS.mode();
  int exceedBy = DEFAULTS.exceedBy();
  long cost = DEFAULTS.cost();
  String costFrom = DEFAULTS.costFrom();
  String when = DEFAULTS.when();
  Priority priority = DEFAULTS.priority();
  Count count = DEFAULTS.count();
  final Map<String, Long> tiers = new LinkedHashMap<>();
  int overshoot = DEFAULTS.overshoot();
  OnStoreFailure onStoreFailure = DEFAULTS.onStoreFailure();
  boolean shadow = DEFAULTS.shadow();
  List<By> by = List.of(DEFAULTS.by());
  List<String> keys = List.of(DEFAULTS.key());

  /** Carries the annotation with all members at their defaults; limit and window have none. */
  @RateLimit(limit = 0, window = 0)
  private static final class Defaults {}

  PolicyBuilder(String name) {
    this.name = name;
  }

  /**
   * Sets how many permits a window has.
   *
   * @param permits 1 to 1,000,000,000
   * @return this
   */
  public PolicyBuilder limit(long permits) {
    this.limit = permits;
    return this;
  }

  /**
   * Sets the length of the window.
   *
   * @param length 10 ms to 366 days, in whole microseconds
   * @return this
   */
  public PolicyBuilder window(Duration length) {
    this.window = WindowLength.of(length);
    return this;
  }

  /**
   * Sets the length of the window as the annotation says it, by the calendar if it has no length of
   * its own.
   *
   * @param amount how many
   * @param unit MILLIS to DAYS: 10 ms to 366 days in all; WEEKS, MONTHS or YEARS, and DAYS with a
   *     {@link #zone}, are of the calendar: 1, or 1, 2, 3, 4 or 6 months
   * @return this
   */
  public PolicyBuilder window(long amount, ChronoUnit unit) {
    this.window = WindowLength.of(amount, unit);
    return this;
  }

  /**
   * Sets a single period in place of windows that follow each other, such as the billing month of a
   * customer. It is part of the bucket: another period is another bucket, and whoever makes the
   * policy decides which one a request belongs to. A store that is asked for it as a window of the
   * calendar counts it.
   *
   * @param begin when it begins, since 1970
   * @param end when it ends, 10 ms to 366 days later
   * @return this
   * @throws IllegalArgumentException if there is no such period
   * @see CalendarWindow#period
   */
  public PolicyBuilder period(Instant begin, Instant end) {
    this.window = WindowLength.of(CalendarWindow.period(begin, end));
    return this;
  }

  /**
   * Sets the time zone of a window by the calendar.
   *
   * @param name {@code Europe/Berlin}, {@code UTC} or {@code +01:00}; empty, as it is unless set:
   *     UTC
   * @return this
   */
  public PolicyBuilder zone(String name) {
    this.zone = name;
    return this;
  }

  /**
   * Sets how permits are counted over time; a sliding window unless set, or a fixed one by the
   * calendar.
   *
   * @param counting the algorithm
   * @return this
   */
  public PolicyBuilder algorithm(Algorithm counting) {
    this.algorithm = counting;
    return this;
  }

  /**
   * Sets how many permits may be used at once, for the bucket algorithms.
   *
   * @param permits 0 (the default of the algorithm) to 1,000,000,000
   * @return this
   */
  public PolicyBuilder burst(long permits) {
    this.burst = permits;
    return this;
  }

  /**
   * Sets how many permits of a token bucket come back at once each whole window.
   *
   * @param permits 1 up to the limit; 0, as it is unless set: the limit comes back evenly
   * @return this
   */
  public PolicyBuilder refill(long permits) {
    this.refill = permits;
    return this;
  }

  /**
   * Sets whether a refusal starts the wait for the next refill anew.
   *
   * @param pauses true to make callers pause for a whole window; only with a refill and HARD
   * @return this
   */
  public PolicyBuilder strict(boolean pauses) {
    this.strict = pauses;
    return this;
  }

  /**
   * Sets what happens at the limit.
   *
   * @param atTheLimit the mode
   * @return this
   */
  public PolicyBuilder mode(Mode atTheLimit) {
    this.mode = atTheLimit;
    return this;
  }

  /**
   * Sets how far SOFT and ELASTIC may go.
   *
   * @param percent 0 to 1000
   * @return this
   */
  public PolicyBuilder exceedBy(int percent) {
    this.exceedBy = percent;
    return this;
  }

  /**
   * Sets how many permits one request takes.
   *
   * @param permits 1 up to the permits at once
   * @return this
   */
  public PolicyBuilder cost(long permits) {
    this.cost = permits;
    return this;
  }

  /**
   * Sets where the adapters find the cost of a request; by hand the permits are given with each
   * call.
   *
   * @param expression as in the annotation, or the name of a cost resolver; empty: it doesn't
   *     depend on the request
   * @return this
   */
  public PolicyBuilder costFrom(String expression) {
    this.costFrom = expression;
    return this;
  }

  /**
   * Sets which requests the adapters ask the policy for.
   *
   * @param condition the name of a request condition; empty: all requests
   * @return this
   */
  public PolicyBuilder when(String condition) {
    this.when = condition;
    return this;
  }

  /**
   * Sets how much of the limit the policy gives up while its node is busy.
   *
   * @param underLoad none, low, normal or critical
   * @return this
   */
  public PolicyBuilder priority(Priority underLoad) {
    this.priority = underLoad;
    return this;
  }

  /**
   * Sets which requests count in the end.
   *
   * @param which all, failures or successes
   * @return this
   */
  public PolicyBuilder count(Count which) {
    this.count = which;
    return this;
  }

  /**
   * Adds a tier.
   *
   * @param tier its name
   * @param permits its limit, 1 to 1,000,000,000
   * @return this
   */
  public PolicyBuilder tier(String tier, long permits) {
    tiers.put(tier, permits);
    return this;
  }

  /**
   * Sets how far a cluster may admit ahead of its store.
   *
   * @param percent 0 to 100
   * @return this
   */
  public PolicyBuilder overshoot(int percent) {
    this.overshoot = percent;
    return this;
  }

  /**
   * Sets how to decide while the store is away.
   *
   * @param decision local, open, closed, or what the settings say
   * @return this
   */
  public PolicyBuilder onStoreFailure(OnStoreFailure decision) {
    this.onStoreFailure = decision;
    return this;
  }

  /**
   * Sets whether the policy only reports what it would refuse.
   *
   * @param dryRun true to refuse nobody
   * @return this
   */
  public PolicyBuilder shadow(boolean dryRun) {
    this.shadow = dryRun;
    return this;
  }

  /**
   * Sets whom the adapters count.
   *
   * @param whom at least one
   * @return this
   */
  public PolicyBuilder by(By... whom) {
    this.by = List.of(whom);
    return this;
  }

  /**
   * Sets what {@code by = KEY} reads.
   *
   * @param expressions as in the annotation
   * @return this
   */
  public PolicyBuilder keys(String... expressions) {
    this.keys = List.of(expressions);
    return this;
  }

  /**
   * All that is wrong with the members, for who makes policies of what somebody else wrote.
   *
   * @return one for each mistake; none if {@link #build} makes a policy
   */
  public List<PolicyMistake> mistakes() {
    PolicyRules rules = new PolicyRules();
    rules.name(name);
    rules.between("limit", limit, 1, Policy.MAX_LIMIT, "");
    window.check(rules, zone);
    if (!zone.isEmpty() && CalendarWindow.zone(zone).isEmpty()) {
      rules.wrong("zone", zone, "must be a time zone such as Europe/Berlin, UTC or +01:00");
    }
    rules.between("burst", burst, 0, Policy.MAX_LIMIT, "");
    rules.between("refill", refill, 0, Policy.MAX_LIMIT, "");
    rules.between("exceedBy", exceedBy, 0, Policy.MAX_EXCEED_BY, " %");
    rules.between("cost", cost, 1, Policy.MAX_LIMIT, "");
    tiers.forEach(
        (tier, permits) -> {
          rules.tierName(tier);
          rules.between("tiers." + tier, permits, 1, Policy.MAX_LIMIT, "");
        });
    rules.between("overshoot", overshoot, 0, Policy.MAX_OVERSHOOT, " %");
    if (by.isEmpty()) {
      rules.wrong("by", by, "must name at least one");
    }
    if (rules.areKept()) {
      rules.algorithm(algorithm(), window.isCalendar(zone), burst);
      if (strict) {
        rules.strict(refill, mode);
      }
      if (refill > 0) {
        long smallest = tiers.values().stream().reduce(limit, Math::min);
        rules.refill(algorithm(), refill, burst, smallest);
      }
      BucketSpec spec = spec();
      checkLimit(rules, spec, limit, "limit", "");
      tiers.forEach(
          (tier, permits) ->
              checkLimit(rules, spec, permits, "tier " + tier, " of tier " + tier));
    }
    return rules.mistakes();
  }

  /**
   * Checks mode and cost against one of the policy's limits.
   *
   * @param name of the limit, for messages
   * @param ofTier follows the limit in messages; empty for the policy's own
   */
  private void checkLimit(
      PolicyRules rules, BucketSpec spec, long permits, String name, String ofTier) {
    long most = spec.burstFor(permits);
    if (mode == Mode.SOFT) {
      long excess = Policy.excess(permits, permits, exceedBy);
      rules.soft(exceedBy, excess, "the limit of " + permits + ofTier);
      if (most != permits) {
        rules.soft(
            exceedBy, Policy.excess(most, permits, exceedBy), "the burst of " + most);
      }
    }
    rules.cost(cost, most, most == permits ? name : "");
  }

  /**
   * Makes the policy.
   *
   * @return the policy
   * @throws InvalidPolicyException if a member is missing or out of range; the message names all
   *     that are
   */
  public Policy build() {
    InvalidPolicyException.throwIfAny(
        mistakes().stream().map(each -> "policy " + name + ": " + each).toList());
    return new Policy(this, spec());
  }

  private Algorithm algorithm() {
    if (algorithm != null) {
      return algorithm;
    }
    return window.isCalendar(zone) ? Algorithm.FIXED_WINDOW : Algorithm.SLIDING_WINDOW;
  }

  /** As far as its parts fit together. */
  private BucketSpec spec() {
    Algorithm counts = window.isCalendar(zone) ? Algorithm.FIXED_WINDOW : algorithm();
    long comesBack = counts == Algorithm.TOKEN_BUCKET ? refill : 0;
    BucketSpec.Builder spec =
        BucketSpec.builder(name)
            .algorithm(counts)
            .burst(BucketSpec.hasBurst(counts) && comesBack == 0 ? burst : 0)
            .refill(comesBack)
            .strict(strict && comesBack > 0);
    window.give(spec, zone);
    return spec.build();
  }
}
