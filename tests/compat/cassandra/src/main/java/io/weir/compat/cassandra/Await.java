package io.weir.compat.cassandra;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process does. */
public final class Await {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private Await() {}

  /**
   * Asks until the answer is yes.
   *
   * @param what for the message, if it doesn't happen within ten minutes
   * @param condition asked again and again
   */
  public static void until(String what, BooleanSupplier condition) {
    if (!isTrueWithin(PATIENCE, condition)) {
      throw new AssertionError("not within " + PATIENCE.toSeconds() + " s: " + what);
    }
  }

  /**
   * Asks until the answer is yes, or a time is over.
   *
   * @param patience how long it asks; counted in pauses, so it never ends early on a busy machine
   * @param condition asked again and again
   * @return the last answer
   */
  static boolean isTrueWithin(Duration patience, BooleanSupplier condition) {
    for (long pauses = patience.dividedBy(PAUSE); !condition.getAsBoolean(); pauses--) {
      if (pauses == 0) {
        return false;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }
}
