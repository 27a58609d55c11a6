package io.weir.rules;

import io.weir.annotation.Algorithm;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.annotation.Scope;
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

  /** A copy of its own, which nobody changes. */
  private final RuleBuilder parts;

  private final String name;

  Rule(RuleBuilder builder) {
    this.parts = new RuleBuilder(builder);
    this.name =
        parts.givenName.orElseGet(
            () ->
                GeneratedRuleName.of(
                    parts.pattern, parts.window, parts.methods, parts.countBy, parts.state));
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
    return new RuleBuilder(parts);
  }

  /**
   * Returns the row of a table that Weir didn't make, if it comes from one. Such a rule is read
   * only, and its {@link #id} isn't the row's.
   *
   * @return table and id, as in {@code public.rate_limit_rules 17}; empty for a row of Weir's own
   */
  public Optional<String> origin() {
    return parts.origin;
  }

  /**
   * Returns the tier.
   *
   * @return its name; {@link #EVERYBODY} means everybody
   */
  public String tier() {
    return parts.tier;
  }

  /**
   * Returns the pattern of the endpoints that it matches.
   *
   * @return the pattern as it was written
   */
  public String pattern() {
    return parts.pattern;
  }

  /**
   * Returns whether it is for an annotated policy, not for endpoints.
   *
   * @return true if its pattern begins with {@link #POLICY}
   */
  public boolean isForPolicy() {
    return parts.pattern.startsWith(POLICY);
  }

  /**
   * Returns the name of the annotated policy that it is for.
   *
   * @return empty if the pattern names none, and for a rule for endpoints
   */
  public String policyName() {
    return isForPolicy() ? parts.pattern.substring(POLICY.length()) : "";
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
    return parts.id;
  }

  /**
   * Returns how often its row was written.
   *
   * @return 0 for one that isn't saved yet; a change must name the version that it was made from
   */
  public long version() {
    return parts.version;
  }

  /**
   * Returns the name in its row.
   *
   * @return empty if its {@link #name} is made of pattern and window
   */
  public Optional<String> givenName() {
    return parts.givenName;
  }

  /**
   * Returns the HTTP methods that it matches.
   *
   * @return in upper case; an empty set means all. {@code GET} matches {@code HEAD} too
   */
  public Set<String> methods() {
    return parts.methods;
  }

  /**
   * Returns the permits per window.
   *
   * @return 1 to 1,000,000,000
   */
  public long limit() {
    return parts.limit;
  }

  /**
   * Returns the window.
   *
   * @return a length of time, a calendar period or the caller's quota
   */
  public RuleWindow window() {
    return parts.window;
  }

  /**
   * Returns the time zone of a calendar period.
   *
   * @return {@code Europe/Berlin}; empty means {@code weir.zone}
   */
  public String zone() {
    return parts.zone;
  }

  /**
   * Returns how permits are counted, if the row says it.
   *
   * @return empty for the default: {@code SLIDING_WINDOW}, or {@code FIXED_WINDOW} for a period
   */
  public Optional<Algorithm> algorithm() {
    return parts.algorithm;
  }

  /**
   * Returns what happens at the limit.
   *
   * @return {@code HARD} unless set
   */
  public Mode mode() {
    return parts.mode;
  }

  /**
   * Returns how far SOFT and ELASTIC may go beyond the limit.
   *
   * @return percent, 0 to 1000
   */
  public int exceedBy() {
    return parts.exceedBy;
  }

  /**
   * Returns the burst of a bucket algorithm.
   *
   * @return permits at once; 0 for the default of the algorithm
   */
  public long burst() {
    return parts.burst;
  }

  /**
   * Returns the permits that come back at once in each window.
   *
   * @return 0 if the limit comes back evenly
   */
  public long refill() {
    return parts.refill;
  }

  /**
   * Returns whether a refusal restarts the wait.
   *
   * @return true only with a refill
   */
  public boolean strict() {
    return parts.strict;
  }

  /**
   * Returns the keys by which it counts.
   *
   * @return {@code USER}, {@code IP}, {@code ENDPOINT} or key expressions, several for one
   *     composite key
   */
  public List<String> countBy() {
    return parts.countBy;
  }

  /**
   * Returns whether each endpoint that it matches has a bucket of its own.
   *
   * @return false if all share one bucket
   */
  public boolean perEndpoint() {
    return parts.perEndpoint;
  }

  /**
   * Returns which requests count.
   *
   * @return {@code ALL} unless set
   */
  public Count counts() {
    return parts.counts;
  }

  /**
   * Returns what clears the failures that it counts.
   *
   * @return {@code NOTHING} unless set; ignored where the rule is for an annotated policy
   */
  public ClearOn clearOn() {
    return parts.clearOn;
  }

  /**
   * Returns the reach of its limit in an application that runs in several regions.
   *
   * @return {@code GLOBAL} unless set; ignored where the rule is for an annotated policy
   */
  public Scope scope() {
    return parts.scope;
  }

  /**
   * Returns the permits per request.
   *
   * @return 1 if the costs of endpoints and methods hold
   */
  public long cost() {
    return parts.cost;
  }

  /**
   * Returns where a request says its cost.
   *
   * @return a key expression or the name of a {@code CostResolver}; empty if nowhere
   */
  public String costFrom() {
    return parts.costFrom;
  }

  /**
   * Returns the condition of requests that it holds for.
   *
   * @return the name of a {@code RequestCondition}; empty for all requests
   */
  public String condition() {
    return parts.condition;
  }

  /**
   * Returns how far a cluster may admit ahead of its store.
   *
   * @return percent, 0 to 100
   */
  public int overshoot() {
    return parts.overshoot;
  }

  /**
   * Returns how much of a quota may roll over to the next period.
   *
   * @return permits; 0 unless it is a quota
   */
  public long maxRollover() {
    return parts.maxRollover;
  }

  /**
   * Returns how to decide while the store is unavailable, if the row says it.
   *
   * @return empty for the default: {@code DEFAULT}, or {@code CLOSED} for a quota
   */
  public Optional<OnStoreFailure> onStoreFailure() {
    return parts.onStoreFailure;
  }

  /**
   * Returns how much of the limit it gives up under load.
   *
   * @return {@code NONE} unless set
   */
  public Priority priority() {
    return parts.priority;
  }

  /**
   * Returns whether it is a draft, in shadow mode or enforced.
   *
   * @return {@code ENFORCED} unless set
   */
  public RuleState state() {
    return parts.state;
  }

  /**
   * Returns when it begins to hold.
   *
   * @return inclusive; empty if at once
   */
  public Optional<Instant> validFrom() {
    return parts.validFrom;
  }

  /**
   * Returns when it ends.
   *
   * @return exclusive; empty if never
   */
  public Optional<Instant> validUntil() {
    return parts.validUntil;
  }

  /**
   * Returns when its row was written last.
   *
   * @return empty for one that isn't saved yet
   */
  public Optional<Instant> updatedAt() {
    return parts.updatedAt;
  }

  /**
   * Returns the author who wrote its row last.
   *
   * @return empty if unknown
   */
  public String updatedBy() {
    return parts.updatedBy;
  }

  /** Returns its tier, name and limit. */
  @Override
  public String toString() {
    return tier() + " " + name + ": " + limit() + " per " + window().inWords();
  }
}
