package io.weir.store;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.internal.value.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a policy that identifies its buckets. With another spec a caller has another bucket;
 * if anything else of a policy changes, such as the limit or the number of permits that a refill
 * brings back, the count goes on.
 *
 * <p>Immutable. Made by a {@link #builder}.
 */
public final class BucketSpec {
  /** The shortest window: 10 ms. */
  public static final Duration MIN_WINDOW = CalendarWindow.MIN_PERIOD;

  /** The longest window: 366 days. */
  public static final Duration MAX_WINDOW = CalendarWindow.MAX_PERIOD;

  /** The longest name of a policy or tier, in characters. */
  public static final int MAX_NAME = 64;

  private final String name;
  private final Algorithm algorithm;
  private final Duration window;
  private final long windowMicros;
  private final long burst;
  private final boolean hasRefill;
  private final boolean strict;
  private final boolean clears;
  private final boolean ofRegion;
  private final @Nullable CalendarWindow calendar;

  /** Buckets are looked up with each request. */
  private final int hash;

  /** The spec without a region of its own; null for this one. */
  private final @Nullable BucketSpec inStore;

  private BucketSpec(Builder parts, boolean ofRegion) {
    this.name = parts.name;
    this.algorithm = parts.algorithm;
    this.window = parts.window;
    this.windowMicros = parts.window.toNanos() / 1_000;
    this.burst = parts.burst;
    this.hasRefill = parts.refill;
    this.strict = parts.strict;
    this.clears = parts.clears;
    this.ofRegion = ofRegion;
    this.inStore = ofRegion ? new BucketSpec(parts, false) : null;
    this.calendar = parts.calendar;
    this.hash =
        Objects.hash(
            name,
            algorithm,
            windowMicros,
            burst,
            hasRefill,
            strict,
            clears,
            ofRegion,
            parts.calendar);
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
   * Returns whether the algorithm is a bucket with a {@link #burst()}; the others count in windows,
   * whose permits at once are their limit.
   *
   * @param algorithm the algorithm
   * @return true for TOKEN_BUCKET and LEAKY_BUCKET
   */
  public static boolean hasBurst(Algorithm algorithm) {
    return algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
  }

  /**
   * Returns whether a text is a valid name of a policy or tier.
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
   * Returns the policy's name.
   *
   * @return {@code [A-Za-z0-9._-]{1,64}}
   */
  public String name() {
    return name;
  }

  /**
   * Returns the way permits are counted over time.
   *
   * @return the algorithm
   */
  public Algorithm algorithm() {
    return algorithm;
  }

  /**
   * Returns the length of the window; for windows of the calendar, which differ, the longest.
   *
   * @return 10 ms to 366 days (367 of the calendar), in whole microseconds
   */
  public Duration window() {
    return window;
  }

  /**
   * Returns the window as the algorithms count it.
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
   * Returns whether permits come back at once with each whole window. Their number isn't part of
   * the bucket: each {@linkplain Claim#effectiveLimit() claim} brings it.
   *
   * @return false if they come back evenly; true only with TOKEN_BUCKET
   */
  public boolean hasRefill() {
    return hasRefill;
  }

  /**
   * Returns whether a refusal starts the wait for the next refill anew.
   *
   * @return true only with a refill
   */
  public boolean strict() {
    return strict;
  }

  /**
   * Returns whether a success clears the failures before it: each permit then is kept by itself,
   * with what became of its request, until it is a window old. Such permits aren't leased.
   *
   * @return true only with SLIDING_WINDOW or SLIDING_LOG, which then count alike
   */
  public boolean clears() {
    return clears;
  }

  /**
   * Returns whether the limit is each region's own, even where one application runs in several. It
   * isn't part of the bucket's name in a store: after a change the count goes on.
   *
   * @return false if the limit is one over all regions, which is how a single region has it too
   */
  public boolean isOfRegion() {
    return ofRegion;
  }

  /**
   * Returns the spec by which stores know its buckets, whatever regions the limit reaches.
   *
   * @return an equal one, unless the limit is {@linkplain #isOfRegion() each region's own}
   */
  BucketSpec inStore() {
    return inStore == null ? this : inStore;
  }

  /**
   * Returns the time until all permits of an empty bucket are back.
   *
   * @param permits permits at once, 1 and more
   * @param perWindow permits that come back with each window, 1 and more
   * @return microseconds: {@linkplain #hasRefill() with a refill} as many windows as that takes,
   *     else one; {@link Long#MAX_VALUE} stands for all longer times
   */
  public long refillMicros(long permits, long perWindow) {
    if (!hasRefill) {
      return windowMicros;
    }
    long windows = permits / perWindow + (permits % perWindow == 0 ? 0 : 1);
    return windows > Long.MAX_VALUE / windowMicros ? Long.MAX_VALUE : windows * windowMicros;
  }

  /**
   * Returns the windows of the calendar, if it counts by those.
   *
   * @return empty if all its windows have the same length; otherwise its algorithm is FIXED_WINDOW
   */
  public Optional<CalendarWindow> calendar() {
    return Optional.ofNullable(calendar);
  }

  /**
   * Returns whether it counts in a single {@linkplain CalendarWindow#isPeriod() period}.
   *
   * @return false if it has windows that follow each other
   */
  public boolean isOfPeriod() {
    return calendar != null && calendar.isPeriod();
  }

  /**
   * Returns the permits of a fresh bucket under a limit.
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

  /**
   * Returns whether a store counts both in the same buckets: they differ at most in whether the
   * limit is {@linkplain #isOfRegion() each region's own}.
   *
   * @param that another one
   * @return true if a key has one bucket for both
   */
  public boolean hasBucketsOf(BucketSpec that) {
    return burst == that.burst
        && hasRefill == that.hasRefill
        && strict == that.strict
        && clears == that.clears
        && windowMicros == that.windowMicros
        && algorithm == that.algorithm
        && name.equals(that.name)
        && Objects.equals(calendar, that.calendar);
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof BucketSpec that && ofRegion == that.ofRegion && hasBucketsOf(that);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** Names all that makes another bucket in a store; so not whether it is the region's. */
  @Override
  public String toString() {
    return name
        + ", "
        + algorithm
        + " of "
        + (calendar == null ? DurationText.inWords(window) : calendar)
        + (burst > 0 ? ", burst " + burst : "")
        + (hasRefill ? ", refill" : "")
        + (strict ? ", strict" : "")
        + (clears ? ", cleared by a success" : "");
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
    private boolean refill;
    private boolean strict;
    private boolean clears;
    private boolean ofRegion;
    private @Nullable CalendarWindow calendar;

    private Builder(String name) {
      this.name = name;
    }

    /**
     * Sets how permits are counted over time; a sliding window by default.
     *
     * @param counts the algorithm
     * @return this
     */
    public Builder algorithm(Algorithm counts) {
      this.algorithm = counts;
      return this;
    }

    /**
     * Sets the length of the window; a minute by default.
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
     * @param permits 0 to 1,000,000,000; 0, the default: the limit for TOKEN_BUCKET, one for
     *     LEAKY_BUCKET, and required for the window algorithms
     * @return this
     */
    public Builder burst(long permits) {
      this.burst = permits;
      return this;
    }

    /**
     * Sets whether permits come back at once with each whole window.
     *
     * @param atOnce false, the default: evenly; true only with TOKEN_BUCKET and without a burst
     * @return this
     */
    public Builder refill(boolean atOnce) {
      this.refill = atOnce;
      return this;
    }

    /**
     * Sets whether a refusal starts the wait for the next refill anew.
     *
     * @param pauses true only with a refill
     * @return this
     */
    public Builder strict(boolean pauses) {
      this.strict = pauses;
      return this;
    }

    /**
     * Sets whether a success clears the failures before it.
     *
     * @param isCleared true only with SLIDING_WINDOW or SLIDING_LOG
     * @return this
     */
    public Builder clears(boolean isCleared) {
      this.clears = isCleared;
      return this;
    }

    /**
     * Sets whether the limit is each region's own.
     *
     * @param ofEach false, the default: one limit over all regions
     * @return this
     */
    public Builder ofRegion(boolean ofEach) {
      this.ofRegion = ofEach;
      return this;
    }

    /**
     * Sets windows of the calendar instead of windows of one length.
     *
     * @param windows the windows, only with FIXED_WINDOW
     * @return this
     */
    public Builder calendar(CalendarWindow windows) {
      this.calendar = windows;
      this.window = windows.longest();
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
      if (calendar == null
          && (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0)) {
        throw new IllegalArgumentException(
            "window must be 10 ms to 366 days, not " + DurationText.inWords(window));
      }
      if (window.toNanos() % 1_000 != 0) {
        throw new IllegalArgumentException(
            "window must be whole microseconds, not " + DurationText.inWords(window));
      }
      if (burst < 0 || burst > Policy.MAX_LIMIT) {
        throw new IllegalArgumentException("burst must be 0 to 1,000,000,000, not " + burst);
      }
      if (burst > 0 && !hasBurst(algorithm)) {
        throw new IllegalArgumentException(
            "burst requires TOKEN_BUCKET or LEAKY_BUCKET, not " + algorithm);
      }
      if (calendar != null && algorithm != Algorithm.FIXED_WINDOW) {
        throw new IllegalArgumentException(
            "windows of the calendar require FIXED_WINDOW, not " + algorithm);
      }
      if (refill && (algorithm != Algorithm.TOKEN_BUCKET || burst > 0)) {
        throw new IllegalArgumentException("refill requires TOKEN_BUCKET without a burst");
      }
      if (strict && !refill) {
        throw new IllegalArgumentException("strict needs a refill");
      }
      if (clears && algorithm != Algorithm.SLIDING_WINDOW && algorithm != Algorithm.SLIDING_LOG) {
        throw new IllegalArgumentException(
            "a success clears failures only of SLIDING_WINDOW or SLIDING_LOG, not of " + algorithm);
      }
      return new BucketSpec(this, ofRegion);
    }
  }
}
