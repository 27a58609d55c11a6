package io.weir.compat.cassandra;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process does. */
public final class Await {
  private static final long SECONDS = 600;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

  private Await() {}

  /**
   * Asks until the answer is yes.
   *
   * @param what for the message, if it doesn't happen within ten minutes
   * @param condition asked again and again
   */
  public static void until(String what, BooleanSupplier condition) {
    for (long waits = 0; !condition.getAsBoolean(); waits++) {
      if (waits * PAUSE > TimeUnit.SECONDS.toNanos(SECONDS)) {
        throw new AssertionError("not within " + SECONDS + " s: " + what);
      }
      LockSupport.parkNanos(PAUSE);
    }
  }
}
