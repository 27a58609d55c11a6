package io.weir.writeback;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.weir.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * Whether a part of the store is worth asking. It isn't once three of the last four settles failed;
 * after {@value #PAUSE_MICROS} microseconds a single probe may go, and its answer decides.
 *
 * <p>Three and not two: a single lost settle now and then is no outage, and two of four come about
 * by chance a few times a minute where one in a hundred is lost.
 *
 * <p>Safe for concurrent use.
 */
final class Breaker {
  static final long PAUSE_MICROS = 250_000;

  private final CircuitBreaker breaker;

  Breaker(Ticker ticker) {
    breaker = CircuitBreaker.of("weir", config(ticker));
  }

  private static CircuitBreakerConfig config(Ticker ticker) {
    return CircuitBreakerConfig.custom()
        .clock(new Monotonic(ticker))
        .currentTimestampFunction(clock -> ticker.nanoTime(), TimeUnit.NANOSECONDS)
        .slidingWindowSize(4)
        .minimumNumberOfCalls(3)
        .failureRateThreshold(75)
        .slowCallRateThreshold(100)
        .slowCallDurationThreshold(Duration.ofDays(1))
        .permittedNumberOfCallsInHalfOpenState(1)
        // A millisecond less, since a breaker waits for more than this time.
        .waitDurationInOpenState(Duration.ofNanos(PAUSE_MICROS * 1_000 - 1_000_000))
        .writableStackTraceEnabled(false)
        .build();
  }

  boolean closed() {
    return breaker.getState() == State.CLOSED;
  }

  /** Whether a probe may be sent now. */
  boolean mayProbe() {
    return breaker.tryAcquirePermission();
  }

  void succeeded(long nanos) {
    breaker.onSuccess(Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  void failed(long nanos, Throwable cause) {
    breaker.onError(Math.max(0, nanos), TimeUnit.NANOSECONDS, cause);
  }

  /** The breaker compares instants; these are of a clock that nobody sets. */
  private static final class Monotonic extends Clock {
    private final Ticker ticker;

    Monotonic(Ticker ticker) {
      this.ticker = ticker;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochSecond(0, ticker.nanoTime());
    }
  }
}
