package io.weir.internal.control.events;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Queues the events that one reader hasn't read yet. A reader that is too slow is dropped: it gets
 * no more events, and has to reconnect.
 *
 * <p>Safe for concurrent use.
 */
final class Subscription {
  private static final int MAX_UNREAD = 600;

  private final BlockingQueue<StreamedEvent> unread = new ArrayBlockingQueue<>(MAX_UNREAD);
  private final String caller;
  private volatile boolean dropped;

  Subscription(String caller) {
    this.caller = caller;
  }

  String caller() {
    return caller;
  }

  /** Adds an event; returns false if the reader has been dropped. */
  boolean offer(StreamedEvent event) {
    if (!dropped && !unread.offer(event)) {
      dropped = true;
    }
    return !dropped;
  }

  /** Waits for the next event; empty if none came in time. */
  Optional<StreamedEvent> next(Duration timeout) throws InterruptedException {
    return Optional.ofNullable(unread.poll(timeout.toMillis(), TimeUnit.MILLISECONDS));
  }

  boolean isDropped() {
    return dropped;
  }
}
