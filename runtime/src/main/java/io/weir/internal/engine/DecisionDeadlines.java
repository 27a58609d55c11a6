package io.weir.internal.engine;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Ends the wait of requests that nobody waits for in a thread of their own.
 *
 * <p>Safe for concurrent use.
 *
 * @param timeout how long a request waits
 * @param scheduler what ends it
 */
record DecisionDeadlines(StoreTimeout timeout, ScheduledExecutorService scheduler) {
  void bound(PendingDecision asking) {
    long began = timeout.begin();
    after(timeout.nanos(), asking, () -> over(asking, began));
  }

  private void over(PendingDecision asking, long began) {
    long more = timeout.extension(began);
    if (more == 0) {
      asking.late(timeout);
    } else {
      after(more, asking, () -> asking.late(timeout));
    }
  }

  private void after(long nanos, PendingDecision asking, Runnable then) {
    if (asking.decision().isDone()) {
      return;
    }
    try {
      Future<?> end = scheduler.schedule(then, nanos, TimeUnit.NANOSECONDS);
      asking.whenDecided(() -> end.cancel(false));
    } catch (RejectedExecutionException closed) {
      asking.giveUp();
    }
  }
}
