package io.weir.internal.writeback.channel;

import io.weir.internal.clock.NodeClock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the batches in flight: at most {@value #MAX_IN_FLIGHT}, and the second only if it carries
 * as many claims as the first, or the first has had the time of a round trip.
 *
 * <p>Safe for concurrent use; confine {@link #allows} and {@link #noteSent} to one thread at a
 * time.
 */
final class InFlightLimit {
  static final int MAX_IN_FLIGHT = 2;

  private final NodeClock clock;
  private final long roundTrip;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicBoolean retryScheduled = new AtomicBoolean();
  private volatile int lastSize;
  private volatile long lastSentAt;

  /**
   * Begins with nothing in flight.
   *
   * @param roundTrip microseconds, longer than an exchange with a healthy store takes
   */
  InFlightLimit(NodeClock clock, long roundTrip) {
    this.clock = clock;
    this.roundTrip = roundTrip;
  }

  /** Returns whether a batch of this many claims may be sent now. */
  boolean allows(int claims) {
    int others = inFlight.get();
    return others == 0 || others < MAX_IN_FLIGHT && (claims >= lastSize || hasWaited());
  }

  private boolean hasWaited() {
    return clock.micros() - lastSentAt >= roundTrip;
  }

  /**
   * Returns whether to try again after a {@link #roundTrip}, after {@link #allows} has refused:
   * time alone may hold a batch back. It may have passed since, so the time isn't asked again.
   */
  boolean needsRetry() {
    return inFlight.get() < MAX_IN_FLIGHT && retryScheduled.compareAndSet(false, true);
  }

  long roundTrip() {
    return roundTrip;
  }

  void endRetry() {
    retryScheduled.set(false);
  }

  void noteSent(int claims, long now) {
    lastSize = claims;
    lastSentAt = now;
  }

  int lastSize() {
    return lastSize;
  }

  /** Counts a batch or a probe that is being sent. */
  void begin() {
    inFlight.incrementAndGet();
  }

  /**
   * Counts one that is answered or overdue, after what follows from it is queued: a channel that is
   * ending is done as soon as it is idle and its queue is empty.
   */
  void end() {
    inFlight.decrementAndGet();
  }

  boolean isIdle() {
    return inFlight.get() == 0;
  }
}
