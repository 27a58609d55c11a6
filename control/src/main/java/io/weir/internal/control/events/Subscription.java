package io.weir.internal.control.events;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What one reader hasn't read yet. A reader that is too slow is dropped: it gets no more, and comes
 * again.
 *
 * <p>Safe for concurrent use.
 */
final class Subscription {
  private static final int MOST = 600;

  private final BlockingQueue<ControlEvent> unread = new ArrayBlockingQueue<>(MOST);
  private volatile boolean dropped;

  /** Adds an event; false if the reader is dropped. */
  boolean offer(ControlEvent event) {
    if (!dropped && !unread.offer(event)) {
      dropped = true;
    }
    return !dropped;
  }

  /** The next event; nothing if none has come in that time. */
  Optional<ControlEvent> next(Duration most) throws InterruptedException {
    return Optional.ofNullable(unread.poll(most.toMillis(), TimeUnit.MILLISECONDS));
  }

  boolean isDropped() {
    return dropped;
  }
}
