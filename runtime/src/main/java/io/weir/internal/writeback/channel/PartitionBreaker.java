package io.weir.internal.writeback.channel;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stops calls to a partition that fails: opens once three of the last four calls failed. {@value
 * #PAUSE_MICROS} microseconds later one probe is sent, and its answer decides.
 *
 * <p>Three rather than two: where one call in a hundred is lost, two of four fail by chance a few
 * times a minute.
 *
 * <p>Safe for concurrent use.
 */
final class PartitionBreaker {
  static final long PAUSE_MICROS = 250_000;

  // Its own clock doesn't matter: the channel schedules the probes.
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
  private final AtomicBoolean probeScheduled = new AtomicBoolean();

  boolean closed() {
    return breaker.getState() == State.CLOSED;
  }

  /**
   * Returns whether the caller is to schedule a probe: the breaker is open and no probe is
   * scheduled.
   */
  boolean needsProbe() {
    return !closed() && probeScheduled.compareAndSet(false, true);
  }

  /** Begins the scheduled probe; false if it is no longer needed. */
  boolean beginProbe() {
    probeScheduled.set(false);
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
