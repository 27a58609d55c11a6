package io.weir.internal.writeback.channel;

import io.weir.internal.writeback.clock.NodeClock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether another batch may be sent beside those under way: at most {@value #MOST}, and the second
 * only if it carries as many claims as the first or the first has had the time of a round trip.
 *
 * <p>Safe for concurrent use; confine {@link #allows} and {@link #sent} to one thread at a time.
 */
final class InFlightLimit {
  static final int MOST = 2;

  private final NodeClock clock;
  private final long roundTrip;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicBoolean retryScheduled = new AtomicBoolean();
  private volatile int lastSize;
  private volatile long lastSentAt;

  /**
   * Nothing is under way.
   *
   * @param clock this node's time
   * @param roundTrip microseconds that are longer than an exchange with a healthy store takes
   */
  InFlightLimit(NodeClock clock, long roundTrip) {
    this.clock = clock;
    this.roundTrip = roundTrip;
  }

  /** Whether a batch of so many claims may be sent now. */
  boolean allows(int claims) {
    int others = inFlight.get();
    return others == 0 || others < MOST && (claims >= lastSize || hasWaited());
  }

  private boolean hasWaited() {
    return clock.micros() - lastSentAt >= roundTrip;
  }

  /** Whether to try again in a {@link #roundTrip}: a batch is held back that time alone lets go. */
  boolean needsRetry() {
    return inFlight.get() < MOST && !hasWaited() && retryScheduled.compareAndSet(false, true);
  }

  long roundTrip() {
    return roundTrip;
  }

  void retried() {
    retryScheduled.set(false);
  }

  void sent(int claims, long now) {
    lastSize = claims;
    lastSentAt = now;
  }

  /** How many claims the last batch carried. */
  int lastSize() {
    return lastSize;
  }

  /** A batch or a probe is under way. */
  void begun() {
    inFlight.incrementAndGet();
  }

  /** It is answered or overdue. */
  void over() {
    inFlight.decrementAndGet();
  }

  boolean isIdle() {
    return inFlight.get() == 0;
  }
}
