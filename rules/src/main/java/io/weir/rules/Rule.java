package io.weir.rules;

import io.weir.annotation.Algorithm;
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
 * One limit of a tier at the endpoints of a pattern: a row of {@code rate_limit_rules}.
 *
 * <p>A row leaves out what has its default, and so does one that is saved. What can't be read of a
 * row makes the row a {@link RuleProblem}, not a rule.
 *
 * <p>Immutable. Whether its members go together is checked where it is saved.
 */
public final class Rule {
  /** The tier that means everybody. */
  public static final String EVERYBODY = "*";

  /** What a pattern begins with that names an annotated policy. */
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
    this.name = givenName.orElseGet(() -> GeneratedRuleName.made(this));
  }

  /**
   * Begins a rule.
   *
   * @param tier the tier, case counts; {@code *} means everybody
   * @param pattern {@code /api/posts}, {@code /api/posts/{id}}, {@code /api/*}, {@code *}, or
   *     {@code policy:NAME}
   * @return a builder with defaults; a limit is required
   */
  public static RuleBuilder builder(String tier, String pattern) {
    return new RuleBuilder(tier, pattern);
  }

  /**
   * A builder of the same rule, to change members of it.
   *
   * @return with all members of this one, also its id and version
   */
  public RuleBuilder toBuilder() {
    return new RuleBuilder(this);
  }

  /**
   * The tier.
   *
   * @return its name; {@link #EVERYBODY} means everybody
   */
  public String tier() {
    return tier;
  }

  /**
   * The endpoints that it matches.
   *
   * @return as it was written
   */
  public String pattern() {
    return pattern;
  }

  /**
   * Whether it is for an annotated policy, not for endpoints.
   *
   * @return true if its pattern begins with {@link #POLICY}
   */
  public boolean isForPolicy() {
    return pattern.startsWith(POLICY);
  }

  /**
   * The annotated policy that it is for.
   *
   * @return its name; empty if none is named, and of a rule for endpoints
   */
  public String policyName() {
    return isForPolicy() ? pattern.substring(POLICY.length()) : "";
  }

  /**
   * The name in header fields, metrics and messages, which is its bucket's too.
   *
   * @return the one that its row gives it, else one made of pattern, window, methods and whom it
   *     counts
   */
  public String name() {
    return name;
  }

  /**
   * The key of its row.
   *
   * @return given by the database; 0 for one that isn't saved yet
   */
  public long id() {
    return id;
  }

  /**
   * How often its row was written.
   *
   * @return 0 for one that isn't saved yet; a change names the version it was made from
   */
  public long version() {
    return version;
  }

  /**
   * The name that its row gives it.
   *
   * @return nothing if the name is made of pattern and window
   */
  public Optional<String> givenName() {
    return givenName;
  }

  /**
   * The HTTP methods that it matches.
   *
   * @return in upper case; none means all. {@code GET} matches {@code HEAD} too
   */
  public Set<String> methods() {
    return methods;
  }

  /**
   * Permits per window.
   *
   * @return 1 to 1,000,000,000
   */
  public long limit() {
    return limit;
  }

  /**
   * The window.
   *
   * @return a length of time, a calendar period or the caller's quota
   */
  public RuleWindow window() {
    return window;
  }

  /**
   * The time zone of a calendar period.
   *
   * @return {@code Europe/Berlin}; empty means {@code weir.zone}
   */
  public String zone() {
    return zone;
  }

  /**
   * How permits are counted, if the row says it.
   *
   * @return nothing: {@code SLIDING_WINDOW}, of a period {@code FIXED_WINDOW}
   */
  public Optional<Algorithm> algorithm() {
    return algorithm;
  }

  /**
   * What happens at the limit.
   *
   * @return {@code HARD} unless set
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
   * Permits at once of a bucket algorithm.
   *
   * @return 0: as the algorithm has it
   */
  public long burst() {
    return burst;
  }

  /**
   * How many permits come back at once each window.
   *
   * @return 0: none, the limit comes back evenly
   */
  public long refill() {
    return refill;
  }

  /**
   * Whether a refusal starts the wait anew.
   *
   * @return only with a refill
   */
  public boolean strict() {
    return strict;
  }

  /**
   * Whom it counts.
   *
   * @return {@code USER}, {@code IP}, {@code ENDPOINT} or key expressions, several for one
   *     composite key
   */
  public List<String> countBy() {
    return countBy;
  }

  /**
   * Whether each endpoint that it matches has a bucket of its own.
   *
   * @return false: one for all of them
   */
  public boolean perEndpoint() {
    return perEndpoint;
  }

  /**
   * Which requests count.
   *
   * @return {@code ALL} unless set
   */
  public Count counts() {
    return counts;
  }

  /**
   * Permits per request.
   *
   * @return 1: costs of endpoints and methods hold
   */
  public long cost() {
    return cost;
  }

  /**
   * Where the cost of a request is found.
   *
   * @return a key expression or the name of a {@code CostResolver}; empty: nowhere
   */
  public String costFrom() {
    return costFrom;
  }

  /**
   * For which requests it holds.
   *
   * @return the name of a {@code RequestCondition}; empty: for all
   */
  public String condition() {
    return condition;
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
   * How much of a quota may go on to the next period.
   *
   * @return permits; only of a quota
   */
  public long maxRollover() {
    return maxRollover;
  }

  /**
   * How to decide while the store is away, if the row says it.
   *
   * @return nothing: {@code DEFAULT}, of a quota {@code CLOSED}
   */
  public Optional<OnStoreFailure> onStoreFailure() {
    return onStoreFailure;
  }

  /**
   * How much of the limit it gives up under load.
   *
   * @return {@code NONE} unless set
   */
  public Priority priority() {
    return priority;
  }

  /**
   * How far it holds.
   *
   * @return {@code ENFORCED} unless set
   */
  public RuleState state() {
    return state;
  }

  /**
   * When it begins to hold.
   *
   * @return inclusive; nothing: at once
   */
  public Optional<Instant> validFrom() {
    return validFrom;
  }

  /**
   * When it ends.
   *
   * @return exclusive; nothing: never
   */
  public Optional<Instant> validUntil() {
    return validUntil;
  }

  /**
   * When its row was written last.
   *
   * @return nothing for one that isn't saved yet
   */
  public Optional<Instant> updatedAt() {
    return updatedAt;
  }

  /**
   * Who wrote its row last.
   *
   * @return empty if nobody said
   */
  public String updatedBy() {
    return updatedBy;
  }

  /** Its tier, name and limit. */
  @Override
  public String toString() {
    return tier + " " + name() + ": " + limit + " per " + window;
  }
}
