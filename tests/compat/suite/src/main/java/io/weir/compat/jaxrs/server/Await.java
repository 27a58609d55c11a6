package io.weir.compat.jaxrs.server;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** Waits for another thread or process, and yields the processor to it. */
public final class Await {
  private static final long SECONDS = 120;

  /** Shorter, since checks that can't pass wait as long. */
  private static final long SECONDS_FOR_VALUES = 60;

  /** Long beside a request, since most conditions send one. */
  private static final long PAUSE_MILLIS = 20;

  private static final long PAUSE_MILLIS_FOR_VALUES = 50;

  private Await() {}

  /** Waits until a condition is true. */
  public static void until(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SECONDS)) {
        throw new AssertionError("it didn't happen within " + SECONDS + " s");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
    }
  }

  /**
   * Looks at another process until something has happened there.
   *
   * @param look reads a value there
   * @param expected whether it is the value to wait for
   * @return the first value that is as expected, or the last one after a minute
   * @throws Exception if the value can't be read
   */
  public static <T> T last(Callable<T> look, Predicate<T> expected) throws Exception {
    long start = System.nanoTime();
    T value = look.call();
    while (!expected.test(value)
        && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(SECONDS_FOR_VALUES)) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS_FOR_VALUES);
      value = look.call();
    }
    return value;
  }
}
