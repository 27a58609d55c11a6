package io.weir.compat.jaxrs.server;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for another thread, and yields the processor to it. */
public final class Wait {
  private static final long SECONDS = 120;

  private Wait() {}

  /** Waits until a condition is true. */
  public static void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SECONDS)) {
        throw new AssertionError("it didn't happen within " + SECONDS + " s");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
