package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.Callable;

/** Waits for what happens in other threads. */
final class Waiting {
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private Waiting() {}

  static void until(String what, Callable<Boolean> happened) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!happened.call()) {
      if (System.nanoTime() - end > 0) {
        fail("never happened: " + what);
      }
      Thread.sleep(10);
    }
  }
}
