package io.weir.rules;

import io.weir.annotation.Algorithm;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.rules.problem.RuleProblem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Limits a tier at the endpoints of a pattern: a row of {@code rate_limit_rules}.
 *
 * <p>Columns with the default are empty in a row. A row that can't be read becomes a {@link
 * RuleProblem}, not a rule.
 *
 * <p>Immutable. Whether its members fit together is checked when it is saved.
 */
public final class Rule {
  /** The tier that stands for all callers. */
  public static final String EVERYBODY = "*";

  /** Begins a pattern that names an annotated policy. */
  public static final String POLICY = "policy:";

  private final String tier;
  private final String pattern;
  private final long id;
  private final long version;
  private final Optional<String> givenName;
  private final Set<String> methods;
  private final long limit;
  private final RuleWindow window;
  private final String zone;
  private final Optional<Algorithm> algorithm;
  private final Mode mode;
  private final int exceedBy;
  private final long burst;
  private final long refill;
  private final boolean strict;
  private final List<String> countBy;
  private final boolean perEndpoint;
  private final Count counts;
  private final ClearOn clearOn;
  private final long cost;
  private final String costFrom;
  private final String condition;
  private final int overshoot;
  private final long maxRollover;
  private final Optional<OnStoreFailure> onStoreFailure;
  private final Priority priority;
  private final RuleState state;
  private final Optional<Instant> validFrom;
  private final Optional<Instant> validUntil;
  private final Optional<Instant> updatedAt;
  private final String updatedBy;
  private final Optional<String> origin;
  private final String name;

  Rule(RuleBuilder parts) {
    this.tier = parts.tier;
    this.pattern = parts.pattern;
    this.id = parts.id;
    this.version = parts.version;
    this.givenName = parts.givenName;
    this.methods = Set.copyOf(parts.methods);
    this.limit = parts.limit;
    this.window = parts.window;
    this.zone = parts.zone;
    this.algorithm = parts.algorithm;
    this.mode = parts.mode;
    this.exceedBy = parts.exceedBy;
    this.burst = parts.burst;
    this.refill = parts.refill;
    this.strict = parts.strict;
    this.countBy = List.copyOf(parts.countBy);
    this.perEndpoint = parts.perEndpoint;
    this.counts = parts.counts;
    this.clearOn = parts.clearOn;
    this.cost = parts.cost;
    this.costFrom = parts.costFrom;
    this.condition = parts.condition;
    this.overshoot = parts.overshoot;
    this.maxRollover = parts.maxRollover;
    this.onStoreFailure = parts.onStoreFailure;
    this.priority = parts.priority;
    this.state = parts.state;
    this.validFrom = parts.validFrom;
    this.validUntil = parts.validUntil;
    this.updatedAt = parts.updatedAt;
    this.updatedBy = parts.updatedBy;
    this.origin = parts.origin;
    this.name =
        givenName.orElseGet(() -> GeneratedRuleName.of(pattern, window, methods, countBy, state));
  }

  /**
   * Begins a rule.
   *
   * @param tier the tier, case counts; {@code *} means all callers
   * @param pattern {@code /api/posts}, {@code /api/posts/{id}}, {@code /api/*}, {@code *}, or
   *     {@code policy:NAME}
   * @return a builder with defaults; a limit is required
   */
  public static RuleBuilder builder(String tier, String pattern) {
    return new RuleBuilder(tier, pattern);
  }

  /**
   * Begins a changed copy of the rule.
   *
   * @return a builder with all members of this rule, also its id and version
   */
  public RuleBuilder toBuilder() {
    return new RuleBuilder(this);
  }

  /**
   * Returns the row of a table that Weir didn't make, if it comes from one. Such a rule is read
   * only, and its {@link #id} isn't the row's.
   *
   * @return table and id, as in {@code public.rate_limit_rules 17}; empty for a row of Weir's own
   */
  public Optional<String> origin() {
    return origin;
  }

  /**
   * Returns the tier.
   *
   * @return its name; {@link #EVERYBODY} means everybody
   */
  public String tier() {
    return tier;
  }

  /**
   * Returns the pattern of the endpoints that it matches.
   *
   * @return the pattern as it was written
   */
  public String pattern() {
    return pattern;
  }

  /**
   * Returns whether it is for an annotated policy, not for endpoints.
   *
   * @return true if its pattern begins with {@link #POLICY}
   */
  public boolean isForPolicy() {
    return pattern.startsWith(POLICY);
  }

  /**
   * Returns the name of the annotated policy that it is for.
   *
   * @return empty if the pattern names none, and for a rule for endpoints
   */
  public String policyName() {
    return isForPolicy() ? pattern.substring(POLICY.length()) : "";
  }

  /**
   * Returns its name in header fields, metrics and messages, which also names its buckets.
   *
   * @return the name in its row, else one made of pattern, window, methods and {@link #countBy}
   */
  public String name() {
    return name;
  }

  /**
   * Returns the key of its row.
   *
   * @return given by the database; 0 for one that isn't saved yet
   */
  public long id() {
    return id;
  }

  /**
   * Returns how often its row was written.
   *
   * @return 0 for one that isn't saved yet; a change must name the version that it was made from
   */
  public long version() {
    return version;
  }

  /**
   * Returns the name in its row.
   *
   * @return empty if its {@link #name} is made of pattern and window
   */
  public Optional<String> givenName() {
    return givenName;
  }

  /**
   * Returns the HTTP methods that it matches.
   *
   * @return in upper case; an empty set means all. {@code GET} matches {@code HEAD} too
   */
  public Set<String> methods() {
    return methods;
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
   * Returns the window.
   *
   * @return a length of time, a calendar period or the caller's quota
   */
  public RuleWindow window() {
    return window;
  }

  /**
   * Returns the time zone of a calendar period.
   *
   * @return {@code Europe/Berlin}; empty means {@code weir.zone}
   */
  public String zone() {
    return zone;
  }

  /**
   * Returns how permits are counted, if the row says it.
   *
   * @return empty for the default: {@code SLIDING_WINDOW}, or {@code FIXED_WINDOW} for a period
   */
  public Optional<Algorithm> algorithm() {
    return algorithm;
  }

  /**
   * Returns what happens at the limit.
   *
   * @return {@code HARD} unless set
   */
  public Mode mode() {
    return mode;
  }

  /**
   * Returns how far SOFT and ELASTIC may go beyond the limit.
   *
   * @return percent, 0 to 1000
   */
  public int exceedBy() {
    return exceedBy;
  }

  /**
   * Returns the burst of a bucket algorithm.
   *
   * @return permits at once; 0 for the default of the algorithm
   */
  public long burst() {
    return burst;
  }

  /**
   * Returns the permits that come back at once in each window.
   *
   * @return 0 if the limit comes back evenly
   */
  public long refill() {
    return refill;
  }

  /**
   * Returns whether a refusal restarts the wait.
   *
   * @return true only with a refill
   */
  public boolean strict() {
    return strict;
  }

  /**
   * Returns the keys by which it counts.
   *
   * @return {@code USER}, {@code IP}, {@code ENDPOINT} or key expressions, several for one
   *     composite key
   */
  public List<String> countBy() {
    return countBy;
  }

  /**
   * Returns whether each endpoint that it matches has a bucket of its own.
   *
   * @return false if all share one bucket
   */
  public boolean perEndpoint() {
    return perEndpoint;
  }

  /**
   * Returns which requests count.
   *
   * @return {@code ALL} unless set
   */
  public Count counts() {
    return counts;
  }

  /**
   * Returns what clears the failures that it counts.
   *
   * @return {@code NOTHING} unless set; ignored where the rule is for an annotated policy
   */
  public ClearOn clearOn() {
    return clearOn;
  }

  /**
   * Returns the permits per request.
   *
   * @return 1 if the costs of endpoints and methods hold
   */
  public long cost() {
    return cost;
  }

  /**
   * Returns where a request says its cost.
   *
   * @return a key expression or the name of a {@code CostResolver}; empty if nowhere
   */
  public String costFrom() {
    return costFrom;
  }

  /**
   * Returns the condition of requests that it holds for.
   *
   * @return the name of a {@code RequestCondition}; empty for all requests
   */
  public String condition() {
    return condition;
  }

  /**
   * Returns how far a cluster may admit ahead of its store.
   *
   * @return percent, 0 to 100
   */
  public int overshoot() {
    return overshoot;
  }

  /**
   * Returns how much of a quota may roll over to the next period.
   *
   * @return permits; 0 unless it is a quota
   */
  public long maxRollover() {
    return maxRollover;
  }

  /**
   * Returns how to decide while the store is unavailable, if the row says it.
   *
   * @return empty for the default: {@code DEFAULT}, or {@code CLOSED} for a quota
   */
  public Optional<OnStoreFailure> onStoreFailure() {
    return onStoreFailure;
  }

  /**
   * Returns how much of the limit it gives up under load.
   *
   * @return {@code NONE} unless set
   */
  public Priority priority() {
    return priority;
  }

  /**
   * Returns whether it is a draft, in shadow mode or enforced.
   *
   * @return {@code ENFORCED} unless set
   */
  public RuleState state() {
    return state;
  }

  /**
   * Returns when it begins to hold.
   *
   * @return inclusive; empty if at once
   */
  public Optional<Instant> validFrom() {
    return validFrom;
  }

  /**
   * Returns when it ends.
   *
   * @return exclusive; empty if never
   */
  public Optional<Instant> validUntil() {
    return validUntil;
  }

  /**
   * Returns when its row was written last.
   *
   * @return empty for one that isn't saved yet
   */
  public Optional<Instant> updatedAt() {
    return updatedAt;
  }

  /**
   * Returns the author who wrote its row last.
   *
   * @return empty if unknown
   */
  public String updatedBy() {
    return updatedBy;
  }

  /** Returns its tier, name and limit. */
  @Override
  public String toString() {
    return tier + " " + name() + ": " + limit + " per " + window.inWords();
  }
}
