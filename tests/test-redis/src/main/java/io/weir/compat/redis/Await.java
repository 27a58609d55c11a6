package io.weir.compat.redis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another process or thread does. */
public final class Await {
  private static final long SECONDS = 120;
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

  private Await() {}

  /**
   * Asks until the answer is yes.
   *
   * @param what for the message, if it doesn't happen within 120 s
   * @param condition asked again and again
   */
  public static void until(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SECONDS)) {
        throw new AssertionError("not within " + SECONDS + " s: " + what);
      }
      LockSupport.parkNanos(PAUSE);
    }
  }
}
