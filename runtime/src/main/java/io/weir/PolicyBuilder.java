package io.weir;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects the members of a {@link Policy}; each has the annotation's default until it is set.
 *
 * <p>Confine to one thread.
 */
public final class PolicyBuilder {
  private final String name;
  long limit;
  private Duration window = Duration.ZERO;
  private Algorithm algorithm = Algorithm.SLIDING_WINDOW;
  private long burst;
  Mode mode = Mode.HARD;
  int exceedBy = 10;
  long cost = 1;
  Count count = Count.ALL;
  final Map<String, Long> tiers = new LinkedHashMap<>();
  int overshoot;
  OnStoreFailure onStoreFailure = OnStoreFailure.DEFAULT;
  boolean shadow;
  List<By> by = List.of(By.IP);
  List<String> keys = List.of();

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
    this.window = length;
    return this;
  }

  /**
   * Sets how permits are counted over time.
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
   * @param permits 1 up to the capacity
   * @return this
   */
  public PolicyBuilder cost(long permits) {
    this.cost = permits;
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
   * Sets whether the policy only watches.
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
   * Makes the policy.
   *
   * @return the policy
   * @throws IllegalArgumentException if a member is missing or out of range; the message names it
   */
  public Policy build() {
    return new Policy(
        this, BucketSpec.builder(name).algorithm(algorithm).window(window).burst(burst).build());
  }
}
