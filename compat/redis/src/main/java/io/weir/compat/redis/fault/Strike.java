package io.weir.compat.redis.fault;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One fault that is on, until it ends.
 *
 * <p>Safe for concurrent use.
 */
final class Strike {
  /** No fault at all. */
  static final Strike NONE = new Strike(Fault.DELAY, Moment.BEFORE, () -> {});

  private final Fault fault;
  private final Moment moment;
  private final Runnable struck;
  private final CountDownLatch end = new CountDownLatch(1);

  Strike(Fault fault, Moment moment, Runnable struck) {
    this.fault = fault;
    this.moment = moment;
    this.struck = struck;
  }

  /** Whether it strikes at this moment; if so it has. */
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
