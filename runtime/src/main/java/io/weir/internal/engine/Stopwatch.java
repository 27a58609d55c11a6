package io.weir.internal.engine;

/** Measures how long one decision takes, from when it was started. */
@FunctionalInterface
interface Stopwatch {
  /** Measures nothing. */
  Stopwatch NONE = () -> {};

  /** Takes the time. */
  void stop();
}
