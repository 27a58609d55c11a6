package io.weir.internal.writeback.clock;

/**
 * How long to wait for an answer of the store.
 *
 * <p>Immutable. Safe for concurrent use.
 */
public final class StoreTimeout {
  private final NodeClock clock;
  private final long micros;

  public StoreTimeout(NodeClock clock, long micros) {
    this.clock = clock;
    this.micros = micros;
  }

  public long micros() {
    return micros;
  }

  /** Microseconds that have passed since a time. */
  public long elapsed(long since) {
    return clock.micros() - since;
  }

  /**
   * How much longer to wait when the timer of this time-out fires: as long as the timer was late,
   * but at most once more. On a node whose timers are late the answer may have arrived without
   * having been read.
   */
  public long extension(long since) {
    return Math.max(0, Math.min(elapsed(since) - micros, micros));
  }
}
