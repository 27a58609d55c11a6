package io.weir.compat.stack;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Looks at another process again and again until something has happened there. */
final class Await {
  private static final long PATIENCE_SECONDS = 60;
  private static final long PAUSE_MILLIS = 50;

  private Await() {}

  /** Returns the first value that is as expected, or the last one after a minute. */
  static <T> T last(Callable<T> look, Predicate<T> expected) throws Exception {
    long start = System.nanoTime();
    T value = look.call();
    while (!expected.test(value)
        && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      value = look.call();
    }
    return value;
  }
}
