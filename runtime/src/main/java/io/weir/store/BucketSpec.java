package io.weir.store;

import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.Objects;

/**
 * The part of a policy that its buckets are made of. With another spec a caller has another bucket;
 * whatever else of a policy changes (its limit above all), the count goes on.
 *
 * <p>Immutable. Made by a {@link #builder}.
 */
public final class BucketSpec {
  /** The shortest window: 10 ms. */
  public static final Duration MIN_WINDOW = Duration.ofMillis(10);

  /** The longest window: 366 days. */
  public static final Duration MAX_WINDOW = Duration.ofDays(366);

  /** The longest name of a policy or tier, in characters. */
  public static final int MAX_NAME = 64;

  private static final long MOST_BURST = 1_000_000_000;

  private final String name;
  private final Algorithm algorithm;
  private final Duration window;
  private final long windowMicros;
  private final long burst;

  private BucketSpec(Builder parts) {
    this.name = parts.name;
    this.algorithm = parts.algorithm;
    this.window = parts.window;
    this.windowMicros = parts.window.toNanos() / 1_000;
    this.burst = parts.burst;
  }

  /**
   * Starts the spec of a sliding window of a minute.
   *
   * @param name the policy's name, {@code [A-Za-z0-9._-]{1,64}}
   * @return a builder
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /**
   * Whether the algorithm is a bucket with a {@link #burst()}; the others count in windows, whose
   * permits at once are their limit.
   *
   * @param algorithm the algorithm
   * @return true for TOKEN_BUCKET and LEAKY_BUCKET
   */
  public static boolean hasBurst(Algorithm algorithm) {
    return algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
  }

  /**
   * Whether a policy or tier may be called so.
   *
   * @param name any text
   * @return true if it matches {@code [A-Za-z0-9._-]{1,64}}
   */
  public static boolean isName(String name) {
    if (name.isEmpty() || name.length() > MAX_NAME) {
      return false;
    }
    for (int at = 0; at < name.length(); at++) {
      if (!isFit(name.charAt(at))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isFit(char letter) {
    return letter >= 'a' && letter <= 'z'
        || letter >= 'A' && letter <= 'Z'
        || letter >= '0' && letter <= '9'
        || letter == '.'
        || letter == '_'
        || letter == '-';
  }

  /**
   * The policy's name.
   *
   * @return {@code [A-Za-z0-9._-]{1,64}}
   */
  public String name() {
    return name;
  }

  /**
   * How permits are counted over time.
   *
   * @return the algorithm
   */
  public Algorithm algorithm() {
    return algorithm;
  }

  /**
   * The length of the window.
   *
   * @return 10 ms to 366 days, in whole microseconds
   */
  public Duration window() {
    return window;
  }

  /**
   * The window as the algorithms count it.
   *
   * @return microseconds, 10,000 and more
   */
  public long windowMicros() {
    return windowMicros;
  }

  /**
   * Permits at once for the bucket algorithms.
   *
   * @return 0 to 1,000,000,000; 0: the limit for TOKEN_BUCKET, one for LEAKY_BUCKET; always 0 for
   *     the window algorithms
   */
  public long burst() {
    return burst;
  }

  /**
   * How many permits a fresh bucket has under a limit.
   *
   * @param limit permits per window
   * @return permits at once
   */
  public long burstFor(long limit) {
    if (burst > 0) {
      return burst;
    }
    return algorithm == Algorithm.LEAKY_BUCKET ? 1 : limit;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof BucketSpec that
            && burst == that.burst
            && windowMicros == that.windowMicros
            && algorithm == that.algorithm
            && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    int hash = 31 * name.hashCode() + Long.hashCode(windowMicros);
    return 31 * (31 * hash + Long.hashCode(burst)) + algorithm.hashCode();
  }

  @Override
  public String toString() {
    return name + ", " + algorithm + " of " + window + (burst > 0 ? ", burst " + burst : "");
  }

  /**
   * Collects the parts of a {@link BucketSpec}.
   *
   * <p>Confine to one thread.
   */
  public static final class Builder {
    private final String name;
    private Algorithm algorithm = Algorithm.SLIDING_WINDOW;
    private Duration window = Duration.ofMinutes(1);
    private long burst;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets how permits are counted over time; a sliding window unless set.
     *
     * @param counts the algorithm
     * @return this
     */
    public Builder algorithm(Algorithm counts) {
      this.algorithm = counts;
      return this;
    }

    /**
     * Sets the length of the window; a minute unless set.
     *
     * @param length 10 ms to 366 days, in whole microseconds
     * @return this
     */
    public Builder window(Duration length) {
      this.window = length;
      return this;
    }

    /**
     * Sets the permits at once of a bucket algorithm.
     *
     * @param permits 0 to 1,000,000,000; 0, as it is unless set: the limit for TOKEN_BUCKET, one
     *     for LEAKY_BUCKET, and required for the window algorithms
     * @return this
     */
    public Builder burst(long permits) {
      this.burst = permits;
      return this;
    }

    /**
     * Makes the spec.
     *
     * @return the spec
     * @throws IllegalArgumentException if a value is outside its range; the message names the rule
     */
    public BucketSpec build() {
      Objects.requireNonNull(algorithm, "algorithm");
      if (!isName(name)) {
        throw new IllegalArgumentException(
            "name must match [A-Za-z0-9._-]{1,64}, not '" + name + "'");
      }
      if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0) {
        throw new IllegalArgumentException("window must be 10 ms to 366 days, not " + window);
      }
      if (window.toNanos() % 1_000 != 0) {
        throw new IllegalArgumentException("window must be whole microseconds, not " + window);
      }
      if (burst < 0 || burst > MOST_BURST) {
        throw new IllegalArgumentException("burst must be 0 to 1,000,000,000, not " + burst);
      }
      if (burst > 0 && !hasBurst(algorithm)) {
        throw new IllegalArgumentException(
            "burst is for TOKEN_BUCKET and LEAKY_BUCKET, not " + algorithm);
      }
      return new BucketSpec(this);
    }
  }
}
