package io.weir.internal.writeback;

import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Whether a part of the store is worth asking. It isn't once three of the last four settles failed;
 * {@value #PAUSE_MICROS} microseconds later a single probe may go, and its answer decides.
 *
 * <p>Three and not two: a settle that is lost now and then is no outage, and two of four come about
 * by chance a few times a minute where one in a hundred is lost.
 *
 * <p>Safe for concurrent use.
 */
final class PartitionBreaker {
  static final long PAUSE_MICROS = 250_000;

  // It reads no clock that matters: when to probe is the lane's business, by the scheduler.
  private final CircuitBreaker breaker =
      CircuitBreaker.of(
          "weir",
          CircuitBreakerConfig.custom()
              .slidingWindowSize(4)
              .minimumNumberOfCalls(3)
              .failureRateThreshold(75)
              .slowCallRateThreshold(100)
              .slowCallDurationThreshold(Duration.ofDays(1))
              .permittedNumberOfCallsInHalfOpenState(1)
              .waitDurationInOpenState(Duration.ofDays(1))
              .writableStackTraceEnabled(false)
              .build());

  boolean closed() {
    return breaker.getState() == State.CLOSED;
  }

  /** Lets one settle decide whether the store is back. */
  boolean probes() {
    if (!closed()) {
      breaker.transitionToHalfOpenState();
      return breaker.tryAcquirePermission();
    }
    return false;
  }

  void succeeded(long nanos) {
    breaker.onSuccess(Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  void failed(long nanos, Throwable cause) {
    breaker.onError(Math.max(0, nanos), TimeUnit.NANOSECONDS, cause);
  }
}
