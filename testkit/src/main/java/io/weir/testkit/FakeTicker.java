package io.weir.testkit;

import io.weir.Ticker;
import io.weir.internal.value.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that only the test moves, so that limits can be tested without sleeping.
 *
 * <pre>{@code
 * FakeTicker ticker = new FakeTicker();
 * try (RateLimiter limiter = RateLimiter.builder().ticker(ticker).build()) {
 *   Policy policy = Policy.builder("signup").limit(1).window(Duration.ofMinutes(1)).build();
 *   Decision first = limiter.tryAcquire(policy, Key.of("alice"));
 *   Decision second = limiter.tryAcquire(policy, Key.of("alice"));
 *   DecisionAssert.assertThat(first).admitted().hasRemaining(0);
 *   DecisionAssert.assertThat(second).refused();
 *
 *   ticker.advance(second.retryAfter());
 *   DecisionAssert.assertThat(limiter.tryAcquire(policy, Key.of("alice"))).admitted();
 * }
 * }</pre>
 *
 * <p>Safe for concurrent use.
 */
public final class FakeTicker implements Ticker {
  /** Where the wall clock of a ticker starts by default; a whole day since the epoch. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  // Crosses zero after three seconds: code that takes a nanoTime for more than a difference shows.
  private final AtomicLong nanos = new AtomicLong(-Duration.ofSeconds(3).toNanos());
  private final AtomicLong wallNanos;

  /** Starts at {@link #START}. */
  public FakeTicker() {
    this(START);
  }

  /**
   * Starts at a time of day.
   *
   * @param start what the wall clock shows at first, between the years 1700 and 2200
   */
  public FakeTicker(Instant start) {
    this.wallNanos = new AtomicLong(sinceEpoch(start));
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public long epochMicros() {
    return Math.floorDiv(wallNanos.get(), 1_000L);
  }

  /**
   * Lets time pass on both clocks.
   *
   * @param time zero or more
   * @return this
   * @throws IllegalArgumentException if it is negative: time never runs back
   */
  public FakeTicker advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "time never runs back, not even by " + DurationText.inWords(time.negated()));
    }
    nanos.addAndGet(time.toNanos());
    wallNanos.addAndGet(time.toNanos());
    return this;
  }

  /**
   * Sets the wall clock forward or back, as an administrator or a time server does; the monotonic
   * time stays as it is.
   *
   * @param by how far, also negative
   * @return this
   */
  public FakeTicker jumpWall(Duration by) {
    wallNanos.addAndGet(by.toNanos());
    return this;
  }

  /**
   * Sets the wall clock to a time of day; the monotonic time stays as it is.
   *
   * @param time what it shows from now on, between the years 1700 and 2200
   * @return this
   */
  public FakeTicker setWall(Instant time) {
    wallNanos.set(sinceEpoch(time));
    return this;
  }

  private static long sinceEpoch(Instant time) {
    return Duration.between(Instant.EPOCH, time).toNanos();
  }
}
