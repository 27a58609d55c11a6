package io.weir.compat.redis.fault;

import io.weir.Ticker;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how late this machine lets a thread run, which delays everything else as well.
 *
 * <p>Safe for concurrent use.
 */
public final class Hiccups implements AutoCloseable {
  private static final long TURN_NANOS = 5_000_000;

  private final AtomicLong late = new AtomicLong();
  private final AtomicLong worst = new AtomicLong();
  private final AtomicBoolean over = new AtomicBoolean();
  private final Thread thread = new Thread(this::watch, "hiccups");

  /** Begins to measure. */
  public Hiccups() {
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    while (!over.get()) {
      long due = Ticker.system().nanoTime() + TURN_NANOS;
      for (long left = TURN_NANOS; left > 0; left = due - Ticker.system().nanoTime()) {
        LockSupport.parkNanos(left);
      }
      long by = Ticker.system().nanoTime() - due;
      late.addAndGet(by);
      worst.accumulateAndGet(by, Math::max);
    }
  }

  /** Returns the total time by which it has run late since the beginning. */
  public long lateNanos() {
    return late.get();
  }

  /** Returns the latest it has run. */
  public long worstNanos() {
    return worst.get();
  }

  /** Ends it. */
  @Override
  public void close() {
    over.set(true);
  }
}
