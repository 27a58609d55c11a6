package io.weir;

import io.weir.annotation.Algorithm;
import io.weir.annotation.BanScope;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Scope;
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
 * Builds a {@link Policy}. Each member has the annotation's default until it is set.
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
  long refill = DEFAULTS.refill();
  private boolean strict = DEFAULTS.strict();
  Mode mode = DEFAULTS.mode();
  int exceedBy = DEFAULTS.exceedBy();
  long cost = DEFAULTS.cost();
  String costFrom = DEFAULTS.costFrom();
  String when = DEFAULTS.when();
  Priority priority = DEFAULTS.priority();
  Count count = DEFAULTS.count();
  private ClearOn clearOn = DEFAULTS.clearOn();
  final Map<String, Long> tiers = new LinkedHashMap<>();
  final Map<String, Long> tierRefills = new LinkedHashMap<>();
  int overshoot = DEFAULTS.overshoot();
  OnStoreFailure onStoreFailure = DEFAULTS.onStoreFailure();
  private Scope scope = DEFAULTS.scope();
  boolean shadow = DEFAULTS.shadow();
  List<By> by = List.of(DEFAULTS.by());
  List<String> keys = List.of(DEFAULTS.key());
  final BanMembers ban = new BanMembers(DEFAULTS);

  /** Carries the annotation with all members at their defaults; limit and window have none. */
  @RateLimit(limit = 0, window = 0)
  private static final class Defaults {}

  PolicyBuilder(String name) {
    this.name = name;
  }

  /**
   * Sets the permits per window.
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
   * Sets the length of the window in a unit, as in the annotation.
   *
   * @param amount the number of units
   * @param unit MILLIS to DAYS: 10 ms to 366 days in all; WEEKS, MONTHS or YEARS, and DAYS with a
   *     {@link #zone}, make calendar windows: of 1 unit, or 1, 2, 3, 4 or 6 months
   * @return this
   */
  public PolicyBuilder window(long amount, ChronoUnit unit) {
    this.window = WindowLength.of(amount, unit);
    return this;
  }

  /**
   * Sets a single period in place of consecutive windows, such as the billing month of a customer.
   * It is part of the bucket: another period is another bucket, and the code that makes the policy
   * chooses the period of a request. Stores count it like a calendar window.
   *
   * @param begin its begin, 1970 or later
   * @param end its end, 10 ms to 366 days later
   * @return this
   * @throws IllegalArgumentException if begin or end is out of range
   * @see CalendarWindow#period
   */
  public PolicyBuilder period(Instant begin, Instant end) {
    this.window = WindowLength.of(CalendarWindow.period(begin, end));
    return this;
  }

  /**
   * Sets the time zone of a calendar window.
   *
   * @param name {@code Europe/Berlin}, {@code UTC} or {@code +01:00}; empty (the default) for UTC
   * @return this
   */
  public PolicyBuilder zone(String name) {
    this.zone = name;
    return this;
  }

  /**
   * Sets how permits are counted over time. Unless set, SLIDING_WINDOW, or FIXED_WINDOW for
   * calendar windows.
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
   * @param permits 0 (the algorithm's default) to 1,000,000,000
   * @return this
   */
  public PolicyBuilder burst(long permits) {
    this.burst = permits;
    return this;
  }

  /**
   * Sets how many permits a token bucket gets back at once after each whole window. Under other
   * limits, such as those of tiers, it is as many in proportion.
   *
   * @param permits 1 up to the limit; 0 (the default): the limit comes back evenly
   * @return this
   */
  public PolicyBuilder refill(long permits) {
    this.refill = permits;
    return this;
  }

  /**
   * Sets whether a refusal restarts the wait for the next refill.
   *
   * @param pauses true to make callers pause for a whole window; only with a refill and HARD
   * @return this
   */
  public PolicyBuilder strict(boolean pauses) {
    this.strict = pauses;
    return this;
  }

  /**
   * Sets the behaviour at the limit.
   *
   * @param atTheLimit the mode
   * @return this
   */
  public PolicyBuilder mode(Mode atTheLimit) {
    this.mode = atTheLimit;
    return this;
  }

  /**
   * Sets the excess above the limit that SOFT and ELASTIC admit.
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
   * @param permits 1 up to the burst
   * @return this
   */
  public PolicyBuilder cost(long permits) {
    this.cost = permits;
    return this;
  }

  /**
   * Sets the expression from which adapters read the cost of a request; calls of the API pass the
   * permits instead.
   *
   * @param expression as in the annotation, or the name of a cost resolver; empty if the cost
   *     doesn't depend on the request
   * @return this
   */
  public PolicyBuilder costFrom(String expression) {
    this.costFrom = expression;
    return this;
  }

  /**
   * Sets the condition under which the policy applies to a request.
   *
   * @param condition the name of a request condition; empty for all requests
   * @return this
   */
  public PolicyBuilder when(String condition) {
    this.when = condition;
    return this;
  }

  /**
   * Sets the priority by which the policy reduces its limit while its node is busy.
   *
   * @param underLoad none, low, normal or critical
   * @return this
   */
  public PolicyBuilder priority(Priority underLoad) {
    this.priority = underLoad;
    return this;
  }

  /**
   * Sets which requests count.
   *
   * @param which all, failures or successes
   * @return this
   */
  public PolicyBuilder count(Count which) {
    this.count = which;
    return this;
  }

  /**
   * Sets what makes the policy forget the failures that it has counted.
   *
   * @param which SUCCESS needs {@code count} FAILURES, {@code by} KEY and a sliding window or log
   * @return this
   */
  public PolicyBuilder clearOn(ClearOn which) {
    this.clearOn = which;
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
    return tier(tier, permits, 0);
  }

  /**
   * Adds a tier with a refill of its own.
   *
   * @param tier its name
   * @param permits its limit, 1 to 1,000,000,000
   * @param comesBack 1 up to its limit; 0 for the policy's {@link #refill} in proportion
   * @return this
   */
  public PolicyBuilder tier(String tier, long permits, long comesBack) {
    tiers.put(tier, permits);
    tierRefills.remove(tier);
    if (comesBack != 0) {
      tierRefills.put(tier, comesBack);
    }
    return this;
  }

  /**
   * Sets the permits that a cluster may admit ahead of its store.
   *
   * @param percent 0 to 100
   * @return this
   */
  public PolicyBuilder overshoot(int percent) {
    this.overshoot = percent;
    return this;
  }

  /**
   * Sets how to decide while the store can't be reached.
   *
   * @param decision local, open, closed, or the default of the settings
   * @return this
   */
  public PolicyBuilder onStoreFailure(OnStoreFailure decision) {
    this.onStoreFailure = decision;
    return this;
  }

  /**
   * Sets the reach of the limit in an application that runs in several regions.
   *
   * @param reach GLOBAL (the default) for all regions together, REGION for each by itself
   * @return this
   */
  public PolicyBuilder scope(Scope reach) {
    this.scope = reach;
    return this;
  }

  /**
   * Sets whether the policy counts and reports refusals without refusing.
   *
   * @param dryRun true for shadow mode
   * @return this
   */
  public PolicyBuilder shadow(boolean dryRun) {
    this.shadow = dryRun;
    return this;
  }

  /**
   * Sets how adapters identify callers.
   *
   * @param whom at least one
   * @return this
   */
  public PolicyBuilder by(By... whom) {
    this.by = List.of(whom);
    return this;
  }

  /**
   * Sets the texts that {@code by = KEY} reads.
   *
   * @param expressions as in the annotation
   * @return this
   */
  public PolicyBuilder keys(String... expressions) {
    this.keys = List.of(expressions);
    return this;
  }

  /**
   * Sets the strikes after which a caller is banned. Adapters ban callers; calls of the API don't.
   *
   * @param strikes 1 to 1,000,000; 0 (the default): no bans
   * @return this
   */
  public PolicyBuilder banAfter(long strikes) {
    ban.after = strikes;
    return this;
  }

  /**
   * Sets the time within which that many strikes lead to a ban.
   *
   * @param length 1 second to 366 days; zero (the default): the window, at least 1 second
   * @return this
   */
  public PolicyBuilder banWithin(Duration length) {
    ban.within = length;
    return this;
  }

  /**
   * Sets the length of a caller's first ban.
   *
   * @param length 1 second to 366 days; zero (the default): as long as {@link #banWithin}
   * @return this
   */
  public PolicyBuilder banFor(Duration length) {
    ban.first = length;
    return this;
  }

  /**
   * Sets the length of the longest ban.
   *
   * @param length that of the first to 366 days; zero (the default): sixteen times the first, at
   *     most 366 days
   * @return this
   */
  public PolicyBuilder banAtMost(Duration length) {
    ban.atMost = length;
    return this;
  }

  /**
   * Sets what counts as a strike.
   *
   * @param what {@code REFUSALS} and statuses from 400 to 599
   * @return this
   */
  public PolicyBuilder banOn(String... what) {
    ban.on = BanMembers.canonical(List.of(what));
    return this;
  }

  /**
   * Sets what a banned caller is kept out of.
   *
   * @param what the policy's endpoints, or the whole application
   * @return this
   */
  public PolicyBuilder banScope(BanScope what) {
    ban.scope = what;
    return this;
  }

  /**
   * Finds the mistakes in the members, for policies that are made from user input.
   *
   * @return the mistakes; none if {@link #build} succeeds
   */
  public List<PolicyMistake> mistakes() {
    PolicyValidator rules = new PolicyValidator();
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
    ban.check(rules, by);
    if (rules.areKept()) {
      rules.algorithm(algorithm(), window.isCalendar(zone), burst);
      if (strict) {
        rules.strict(refill, mode);
      }
      if (clearOn == ClearOn.SUCCESS) {
        rules.clearOnSuccess(count, by, algorithm(), overshoot, mode);
        rules.between("limit", limit, 1, Policy.MAX_CLEARED, " with clearOn SUCCESS");
        tiers.forEach(
            (tier, permits) ->
                rules.between(
                    "tiers." + tier, permits, 1, Policy.MAX_CLEARED, " with clearOn SUCCESS"));
      }
      if (refill > 0) {
        rules.refill(algorithm(), refill, burst, limit);
      }
      tierRefills.forEach(
          (tier, comesBack) ->
              rules.refillOfTier(tier, comesBack, Objects.requireNonNull(tiers.get(tier)), refill));
      BucketSpec spec = spec();
      checkLimit(rules, spec, limit, "limit", "");
      tiers.forEach(
          (tier, permits) -> checkLimit(rules, spec, permits, "tier " + tier, " of tier " + tier));
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
      PolicyValidator rules, BucketSpec spec, long permits, String name, String ofTier) {
    long most = spec.burstFor(permits);
    if (mode == Mode.SOFT) {
      long excess = Policy.excess(permits, permits, exceedBy);
      rules.soft(exceedBy, excess, "the limit of " + permits + ofTier);
      if (most != permits) {
        rules.soft(exceedBy, Policy.excess(most, permits, exceedBy), "the burst of " + most);
      }
    }
    rules.cost(cost, most, most == permits ? name : "");
  }

  /**
   * Makes the policy.
   *
   * @return the policy
   * @throws InvalidPolicyException if a member is missing or out of range; the message lists all
   *     mistakes
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

  /** Makes the spec, leaving out members that don't apply to the algorithm. */
  private BucketSpec spec() {
    Algorithm counts = window.isCalendar(zone) ? Algorithm.FIXED_WINDOW : algorithm();
    boolean slides = counts == Algorithm.SLIDING_WINDOW || counts == Algorithm.SLIDING_LOG;
    boolean hasRefill = counts == Algorithm.TOKEN_BUCKET && refill > 0;
    BucketSpec.Builder spec =
        BucketSpec.builder(name)
            .algorithm(counts)
            .burst(BucketSpec.hasBurst(counts) && !hasRefill ? burst : 0)
            .refill(hasRefill)
            .strict(strict && hasRefill)
            .clears(clearOn == ClearOn.SUCCESS && slides)
            .ofRegion(scope == Scope.REGION);
    window.setIn(spec, zone);
    return spec.build();
  }
}
