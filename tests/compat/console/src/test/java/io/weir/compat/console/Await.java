package io.weir.compat.console;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what happens. */
final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 250;

  private Await() {}

  /** Waits until a condition holds; fails after a minute, and says for what it waited. */
  static void until(String what, BooleanSupplier condition) {
    until(() -> what, condition);
  }

  /** Waits until a condition holds; says afterwards for what it waited. */
  static void until(Supplier<String> what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    long pause = PAUSE_MILLIS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("never: " + what.get());
      }
      pause(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS); // each question to a page costs
    }
  }

  static void pause() {
    pause(PAUSE_MILLIS);
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }
}
