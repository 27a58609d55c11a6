package io.weir;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What one annotation becomes: how many permits a window has, for whom, and what happens at the
 * limit.
 *
 * <p>Immutable. Two policies of one name share their buckets as long as their {@linkplain #shape()
 * shapes} are equal.
 *
 * @param shape name, algorithm, window and burst
 * @param limit permits per window, 1 to 1,000,000,000
 * @param mode what happens at the limit
 * @param exceedBy percent above the limit for SOFT and ELASTIC, 0 to 1000
 * @param cost permits per request, 1 up to the capacity
 * @param count which requests count in the end
 * @param tiers limits by the name of a tier
 * @param overshoot percent that a cluster may admit ahead of its store, 0 to 100
 * @param onStoreFailure how to decide while the store is away
 * @param shadow whether it only watches
 * @param by whom it counts, for the adapters; by hand the key is given with each call
 * @param keys what {@code by = KEY} reads
 */
public record Policy(
    Shape shape,
    long limit,
    Mode mode,
    int exceedBy,
    long cost,
    Count count,
    Map<String, Long> tiers,
    int overshoot,
    OnStoreFailure onStoreFailure,
    boolean shadow,
    List<By> by,
    List<String> keys) {

  private static final String NOTHING = " rounds to nothing for mode SOFT";

  /** The largest limit, burst or number of permits: a thousand million. */
  public static final long MAX_LIMIT = 1_000_000_000L;

  /**
   * Validates.
   *
   * @param shape see the record
   * @param limit see the record
   * @param mode see the record
   * @param exceedBy see the record
   * @param cost see the record
   * @param count see the record
   * @param tiers see the record
   * @param overshoot see the record
   * @param onStoreFailure see the record
   * @param shadow see the record
   * @param by see the record
   * @param keys see the record
   * @throws IllegalArgumentException if a value is outside its range or doesn't go with the others;
   *     the message names the member and the rule
   */
  public Policy {
    tiers = Map.copyOf(tiers);
    by = List.copyOf(by);
    keys = List.copyOf(keys);
    requireLimit("limit", limit);
    for (Map.Entry<String, Long> tier : tiers.entrySet()) {
      requireLimit("tier " + tier.getKey(), tier.getValue());
    }
    requirePercent("exceedBy", exceedBy, 1000);
    requirePercent("overshoot", overshoot, 100);
    if (by.isEmpty()) {
      throw new IllegalArgumentException("by must name at least one");
    }
    requireTogether(shape, "limit", limit, mode, exceedBy, cost);
    for (Map.Entry<String, Long> tier : tiers.entrySet()) {
      requireTogether(shape, "tier " + tier.getKey(), tier.getValue(), mode, exceedBy, cost);
    }
  }

  private static void requireTogether(
      Shape shape, String which, long limit, Mode mode, int exceedBy, long cost) {
    long capacity = burstOf(shape, limit);
    if (mode == Mode.SOFT && surplus(limit, limit, exceedBy) == 0) {
      throw new IllegalArgumentException(
          "exceedBy = " + exceedBy + " % of " + which + " = " + limit + NOTHING);
    }
    if (mode == Mode.SOFT && surplus(capacity, limit, exceedBy) == 0) {
      throw new IllegalArgumentException(
          "exceedBy = " + exceedBy + " % of burst = " + capacity + " (" + which + ")" + NOTHING);
    }
    if (cost < 1 || cost > capacity) {
      throw new IllegalArgumentException(
          "cost must be 1 up to the capacity of " + capacity + " (" + which + "), not " + cost);
    }
  }

  /**
   * How many permits at once {@code exceedBy} adds, rounded down.
   *
   * @param capacity permits at once within the limit, 1 to 1,000,000,000
   * @param limit permits per window, 1 to 1,000,000,000
   * @param exceedBy percent, 0 to 1000
   * @return permits that SOFT admits and marks
   */
  public static long surplus(long capacity, long limit, int exceedBy) {
    long spare = limit * exceedBy / 100;
    // Whole multiples apart, since the product may be more than a long holds.
    return capacity * (spare / limit) + capacity * (spare % limit) / limit;
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
   * @return the shape's name
   */
  public String name() {
    return shape.name();
  }

  /**
   * The length of the window.
   *
   * @return the shape's window
   */
  public Duration window() {
    return shape.window();
  }

  /**
   * How permits are counted over time.
   *
   * @return the shape's algorithm
   */
  public Algorithm algorithm() {
    return shape.algorithm();
  }

  /**
   * How many permits a fresh bucket has at once.
   *
   * @param inForce the limit in force, a tier's for example
   * @return the limit for the window algorithms, the burst for the others
   */
  public long capacity(long inForce) {
    return burstOf(shape, inForce);
  }

  private static long burstOf(Shape shape, long limit) {
    return switch (shape.algorithm()) {
      case TOKEN_BUCKET -> shape.burst() == 0 ? limit : shape.burst();
      case LEAKY_BUCKET -> shape.burst() == 0 ? 1 : shape.burst();
      case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG -> limit;
    };
  }

  static void requireLimit(String member, long value) {
    if (value < 1 || value > MAX_LIMIT) {
      throw new IllegalArgumentException(member + " must be 1 to 1,000,000,000, not " + value);
    }
  }

  private static void requirePercent(String member, int value, int most) {
    if (value < 0 || value > most) {
      throw new IllegalArgumentException(member + " must be 0 to " + most + " %, not " + value);
    }
  }
}
