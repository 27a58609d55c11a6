package io.weir.architecture.breach.internal.engine;

import java.time.Clock;

/** Breaks the rules that the architecture tests check. */
final class BadHabits {
  private BadHabits() {}

  static long readsAClock() {
    return System.nanoTime();
  }

  static Clock holdsAClock() {
    return Clock.systemUTC();
  }

  static void sleeps() throws InterruptedException {
    Thread.sleep(1);
  }

  static void prints() {
    System.out.println();
  }

  static Thread inherits(Runnable work) {
    return new Thread(work, "heir");
  }
}
