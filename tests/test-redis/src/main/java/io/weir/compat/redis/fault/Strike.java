package io.weir.compat.redis.fault;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One fault that is on, until it ends.
 *
 * <p>Safe for concurrent use.
 */
final class Strike {
  /** No fault at all. */
  static final Strike NONE = new Strike(Fault.DELAY, Moment.BEFORE, () -> {});

  /** Longer than any node of a test waits. */
  private static final long LONG_MILLIS = 350;

  private final Fault fault;
  private final Moment moment;
  private final Runnable struck;
  private final LongSupplier delay;
  private final CountDownLatch end = new CountDownLatch(1);

  Strike(Fault fault, Moment moment, Runnable struck) {
    this(fault, moment, struck, () -> LONG_MILLIS);
  }

  private Strike(Fault fault, Moment moment, Runnable struck, LongSupplier delay) {
    this.fault = fault;
    this.moment = moment;
    this.struck = struck;
    this.delay = delay;
  }

  /** Returns a fault that makes each reply late by a time of its own. */
  static Strike slow(LongSupplier millis, Runnable struck) {
    return new Strike(Fault.DELAY, Moment.AFTER_COMMIT, struck, millis);
  }

  /** Returns whether it strikes at this moment; if so it has. */
  boolean at(Moment now) {
    boolean strikes = this != NONE && moment == now && end.getCount() > 0;
    if (strikes) {
      struck.run();
    }
    return strikes;
  }

  Fault fault() {
    return fault;
  }

  /** Returns the length of a delay. */
  long delayMillis() {
    return delay.getAsLong();
  }

  void end() {
    end.countDown();
  }

  /** Waits for a while, at most until it ends. */
  void pause(long millis) {
    try {
      boolean ended = end.await(millis, TimeUnit.MILLISECONDS);
      assert ended || millis >= 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
