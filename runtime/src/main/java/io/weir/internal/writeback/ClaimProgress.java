package io.weir.internal.writeback;

/**
 * Tracks the claim of a bucket, and which of its claims have been answered. At most one claim that
 * isn't overdue is in flight.
 *
 * <p>Needs the bucket's lock.
 */
final class ClaimProgress {
  private enum Phase {
    IDLE,
    QUEUED,
    /** Queued, and a request waits for it. */
    URGENT,
    IN_FLIGHT
  }

  private Phase phase = Phase.IDLE;
  private long lastSent;
  private long lastAnswered;
  private long roundTrip;

  boolean isIdle() {
    return phase == Phase.IDLE;
  }

  // A bucket that became urgent while queued is queued twice; the second turn finds nothing to do.
  boolean isQueued() {
    return phase == Phase.QUEUED || phase == Phase.URGENT;
  }

  boolean isUrgent() {
    return phase == Phase.URGENT;
  }

  /** Returns whether the caller is to queue the bucket in its channel. */
  boolean queue(boolean urgent) {
    boolean queues = phase == Phase.IDLE || phase == Phase.QUEUED && urgent;
    if (queues) {
      phase = urgent ? Phase.URGENT : Phase.QUEUED;
    }
    return queues;
  }

  /** Ends it: there is nothing to claim, or no way to. */
  void cancel() {
    phase = Phase.IDLE;
  }

  long next() {
    return lastSent + 1;
  }

  long send() {
    phase = Phase.IN_FLIGHT;
    return ++lastSent;
  }

  void took(long micros) {
    roundTrip = micros;
  }

  /** Returns how long the next answer is likely to take, in microseconds; 0 if unknown. */
  long roundTrip() {
    return roundTrip;
  }

  /**
   * Notes that a claim was answered or is overdue. One that is answered late may have been replaced
   * by a newer one, which stays in flight.
   */
  void arrived(long number) {
    if (number == lastSent && phase == Phase.IN_FLIGHT) {
      phase = Phase.IDLE;
    }
  }

  /** Returns whether no later claim has been answered yet. */
  boolean isNewest(long number) {
    return number > lastAnswered;
  }

  void answered(long number) {
    lastAnswered = Math.max(lastAnswered, number);
  }
}
