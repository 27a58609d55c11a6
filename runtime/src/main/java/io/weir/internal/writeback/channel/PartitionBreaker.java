package io.weir.internal.writeback.channel;

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

  private static final int LAST_CALLS = 0b1111;
  private static final int TOO_MANY_FAILURES = 3;

  private enum State {
    CLOSED,
    OPEN,
    PROBING
  }

  /** Written only by who holds the lock. */
  private volatile State state = State.CLOSED;

  /** Has a bit for each of the last four calls since the breaker has closed, 1 for a failure. */
  private int failures;

  private boolean isProbeScheduled;

  boolean isClosed() {
    return state == State.CLOSED;
  }

  /**
   * Returns whether the caller is to schedule a probe: the breaker is open and no probe is
   * scheduled.
   */
  synchronized boolean needsProbe() {
    boolean needsOne = !isClosed() && !isProbeScheduled;
    isProbeScheduled |= needsOne;
    return needsOne;
  }

  /** Begins the scheduled probe; false if it is no longer needed. */
  synchronized boolean beginProbe() {
    isProbeScheduled = false;
    if (isClosed()) {
      return false;
    }
    state = State.PROBING;
    return true;
  }

  void noteSuccess() {
    note(0);
  }

  void noteFailure() {
    note(1);
  }

  private synchronized void note(int failure) {
    switch (state) {
      case CLOSED -> {
        failures = (failures << 1 | failure) & LAST_CALLS;
        if (Integer.bitCount(failures) >= TOO_MANY_FAILURES) {
          state = State.OPEN;
        }
      }
      case OPEN -> {
        // It was sent before; the next probe decides.
      }
      case PROBING -> {
        failures = 0;
        state = failure == 0 ? State.CLOSED : State.OPEN;
      }
    }
  }
}
