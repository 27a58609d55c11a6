package io.weir.rules;

import io.weir.annotation.Algorithm;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.annotation.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Builds a {@link Rule}. Each member has the default of an empty column.
 *
 * <p>Confine to one thread.
 */
public final class RuleBuilder {
  final String tier;
  final String pattern;
  long id = 0;
  long version = 0;
  Optional<String> givenName = Optional.empty();
  Set<String> methods = Set.of();
  long limit = 0;
  RuleWindow window = RuleWindow.ofSeconds(60);
  String zone = "";
  Optional<Algorithm> algorithm = Optional.empty();
  Mode mode = Mode.HARD;
  int exceedBy = 10;
  long burst = 0;
  long refill = 0;
  boolean strict = false;
  List<String> countBy = List.of("USER");
  boolean perEndpoint = false;
  Count counts = Count.ALL;
  ClearOn clearOn = ClearOn.NOTHING;
  Scope scope = Scope.GLOBAL;
  long cost = 1;
  String costFrom = "";
  String condition = "";
  int overshoot = 0;
  long maxRollover = 0;
  Optional<OnStoreFailure> onStoreFailure = Optional.empty();
  Priority priority = Priority.NONE;
  RuleState state = RuleState.ENFORCED;
  Optional<Instant> validFrom = Optional.empty();
  Optional<Instant> validUntil = Optional.empty();
  Optional<Instant> updatedAt = Optional.empty();
  String updatedBy = "";
  Optional<String> origin = Optional.empty();

  RuleBuilder(String tier, String pattern) {
    this.tier = tier;
    this.pattern = pattern;
  }

  RuleBuilder(RuleBuilder other) {
    this(other.tier, other.pattern);
    this.id = other.id;
    this.version = other.version;
    this.givenName = other.givenName;
    this.methods = Set.copyOf(other.methods);
    this.limit = other.limit;
    this.window = other.window;
    this.zone = other.zone;
    this.algorithm = other.algorithm;
    this.mode = other.mode;
    this.exceedBy = other.exceedBy;
    this.burst = other.burst;
    this.refill = other.refill;
    this.strict = other.strict;
    this.countBy = List.copyOf(other.countBy);
    this.perEndpoint = other.perEndpoint;
    this.counts = other.counts;
    this.clearOn = other.clearOn;
    this.scope = other.scope;
    this.cost = other.cost;
    this.costFrom = other.costFrom;
    this.condition = other.condition;
    this.overshoot = other.overshoot;
    this.maxRollover = other.maxRollover;
    this.onStoreFailure = other.onStoreFailure;
    this.priority = other.priority;
    this.state = other.state;
    this.validFrom = other.validFrom;
    this.validUntil = other.validUntil;
    this.updatedAt = other.updatedAt;
    this.updatedBy = other.updatedBy;
    this.origin = other.origin;
  }

  /**
   * Names the row that it replaces.
   *
   * @param rowId the key of the row
   * @param rowVersion the version it was made from
   * @return this
   */
  public RuleBuilder row(long rowId, long rowVersion) {
    this.id = rowId;
    this.version = rowVersion;
    return this;
  }

  /**
   * Sets when its row was written last, and by which author.
   *
   * @param when the time
   * @param who the author; empty if unknown
   * @return this
   */
  public RuleBuilder updated(Optional<Instant> when, String who) {
    this.updatedAt = when;
    this.updatedBy = who;
    return this;
  }

  /**
   * Sets the row of a table that Weir didn't make.
   *
   * @param row table and id; empty for a row of Weir's own
   * @return this
   */
  public RuleBuilder origin(Optional<String> row) {
    this.origin = row;
    return this;
  }

  /**
   * Sets its name.
   *
   * @param name {@code [A-Za-z0-9._-]{1,64}}
   * @return this
   */
  public RuleBuilder name(String name) {
    this.givenName = Optional.of(name);
    return this;
  }

  /**
   * Sets the HTTP methods that it matches.
   *
   * @param value in upper case; an empty set means all. {@code GET} matches {@code HEAD} too
   * @return this
   */
  public RuleBuilder methods(Set<String> value) {
    this.methods = value;
    return this;
  }

  /**
   * Sets the permits per window.
   *
   * @param value 1 to 1,000,000,000
   * @return this
   */
  public RuleBuilder limit(long value) {
    this.limit = value;
    return this;
  }

  /**
   * Sets the window.
   *
   * @param value a length of time, a calendar period or the caller's quota
   * @return this
   */
  public RuleBuilder window(RuleWindow value) {
    this.window = value;
    return this;
  }

  /**
   * Sets the time zone of a calendar period.
   *
   * @param value {@code Europe/Berlin}; empty means {@code weir.zone}
   * @return this
   */
  public RuleBuilder zone(String value) {
    this.zone = value;
    return this;
  }

  /**
   * Sets how permits are counted.
   *
   * @param value see {@link Rule#algorithm()}
   * @return this
   */
  public RuleBuilder algorithm(Algorithm value) {
    this.algorithm = Optional.of(value);
    return this;
  }

  /**
   * Sets what happens at the limit.
   *
   * @param value {@code HARD} unless set
   * @return this
   */
  public RuleBuilder mode(Mode value) {
    this.mode = value;
    return this;
  }

  /**
   * Sets how far SOFT and ELASTIC may go beyond the limit.
   *
   * @param value percent, 0 to 1000
   * @return this
   */
  public RuleBuilder exceedBy(int value) {
    this.exceedBy = value;
    return this;
  }

  /**
   * Sets the burst of a bucket algorithm.
   *
   * @param value permits at once; 0 for the default of the algorithm
   * @return this
   */
  public RuleBuilder burst(long value) {
    this.burst = value;
    return this;
  }

  /**
   * Sets the permits that come back at once in each window.
   *
   * @param value 0 if the limit comes back evenly
   * @return this
   */
  public RuleBuilder refill(long value) {
    this.refill = value;
    return this;
  }

  /**
   * Sets whether a refusal restarts the wait.
   *
   * @param value true only with a refill
   * @return this
   */
  public RuleBuilder strict(boolean value) {
    this.strict = value;
    return this;
  }

  /**
   * Sets the keys by which it counts.
   *
   * @param value {@code USER}, {@code IP}, {@code ENDPOINT} or key expressions, several for one
   *     composite key
   * @return this
   */
  public RuleBuilder countBy(List<String> value) {
    this.countBy = value;
    return this;
  }

  /**
   * Sets whether each endpoint that it matches has a bucket of its own.
   *
   * @param value false if all share one bucket
   * @return this
   */
  public RuleBuilder perEndpoint(boolean value) {
    this.perEndpoint = value;
    return this;
  }

  /**
   * Sets which requests count.
   *
   * @param value {@code ALL} unless set
   * @return this
   */
  public RuleBuilder counts(Count value) {
    this.counts = value;
    return this;
  }

  /**
   * Sets what clears the failures that it counts. {@code SUCCESS} needs {@code counts} FAILURES, a
   * key expression that holds the account, a sliding window, a limit of at most 1,000, and one
   * method and a pattern without a star, or a condition.
   *
   * @param value by default nothing
   * @return this
   */
  public RuleBuilder clearOn(ClearOn value) {
    this.clearOn = value;
    return this;
  }

  /**
   * Sets the reach of its limit in an application that runs in several regions.
   *
   * @param value by default all regions together
   * @return this
   */
  public RuleBuilder scope(Scope value) {
    this.scope = value;
    return this;
  }

  /**
   * Sets the permits per request.
   *
   * @param value 1 if the costs of endpoints and methods hold
   * @return this
   */
  public RuleBuilder cost(long value) {
    this.cost = value;
    return this;
  }

  /**
   * Sets where a request says its cost.
   *
   * @param value a key expression or the name of a {@code CostResolver}; empty if nowhere
   * @return this
   */
  public RuleBuilder costFrom(String value) {
    this.costFrom = value;
    return this;
  }

  /**
   * Sets the condition of requests that it holds for.
   *
   * @param value the name of a {@code RequestCondition}; empty for all requests
   * @return this
   */
  public RuleBuilder condition(String value) {
    this.condition = value;
    return this;
  }

  /**
   * Sets how far a cluster may admit ahead of its store.
   *
   * @param value percent, 0 to 100
   * @return this
   */
  public RuleBuilder overshoot(int value) {
    this.overshoot = value;
    return this;
  }

  /**
   * Sets how much of a quota may roll over to the next period.
   *
   * @param value permits; only for a quota
   * @return this
   */
  public RuleBuilder maxRollover(long value) {
    this.maxRollover = value;
    return this;
  }

  /**
   * Sets how to decide while the store is unavailable.
   *
   * @param value see {@link Rule#onStoreFailure()}
   * @return this
   */
  public RuleBuilder onStoreFailure(OnStoreFailure value) {
    this.onStoreFailure = Optional.of(value);
    return this;
  }

  /**
   * Sets how much of the limit it gives up under load.
   *
   * @param value {@code NONE} unless set
   * @return this
   */
  public RuleBuilder priority(Priority value) {
    this.priority = value;
    return this;
  }

  /**
   * Sets whether it is a draft, in shadow mode or enforced.
   *
   * @param value {@code ENFORCED} unless set
   * @return this
   */
  public RuleBuilder state(RuleState value) {
    this.state = value;
    return this;
  }

  /**
   * Sets when it begins to hold.
   *
   * @param value see {@link Rule#validFrom()}
   * @return this
   */
  public RuleBuilder validFrom(Instant value) {
    this.validFrom = Optional.of(value);
    return this;
  }

  /**
   * Sets when it ends.
   *
   * @param value see {@link Rule#validUntil()}
   * @return this
   */
  public RuleBuilder validUntil(Instant value) {
    this.validUntil = Optional.of(value);
    return this;
  }

  /**
   * Builds the rule.
   *
   * @return a rule that isn't checked yet
   */
  public Rule build() {
    return new Rule(this);
  }
}
