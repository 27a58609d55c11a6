package io.weir.compat.cluster;

import io.weir.Ticker;
import java.util.concurrent.locks.LockSupport;

/** Lets real time pass, since nodes of other JVMs have no other. */
final class Pause {
  private Pause() {}

  static void millis(long length) {
    long end = now() + length * 1_000_000;
    for (long left = end - now(); left > 0; left = end - now()) {
      LockSupport.parkNanos(left);
    }
  }

  /** The monotonic time that all JVMs of this machine share, in nanoseconds. */
  static long now() {
    return Ticker.system().nanoTime();
  }
}
