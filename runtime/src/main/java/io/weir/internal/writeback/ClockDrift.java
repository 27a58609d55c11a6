package io.weir.internal.writeback;

/** How long a node trusts what the store said would last, by a clock of its own. */
final class ClockDrift {
  private static final int DRIFT = 1_000;

  private ClockDrift() {}

  /** A thousandth less, since the two clocks needn't run equally fast. */
  static long of(long micros) {
    return micros - micros / DRIFT;
  }

  /** A thousandth more, where it must surely be over. */
  static long surely(long micros) {
    return NodeClock.after(micros, micros / DRIFT + 1);
  }
}
