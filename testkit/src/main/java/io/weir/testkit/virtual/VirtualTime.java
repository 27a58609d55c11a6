package io.weir.testkit.virtual;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.PriorityQueue;

/**
 * Keeps a time line in microseconds with planned events. They happen only in {@link #run} and
 * {@link #runUntil}, in order; a day passes as fast as its events can be processed.
 *
 * <p>Events of the same microsecond happen in the order in which they were planned, so that a run
 * can be repeated exactly.
 *
 * <p>Confine to one thread.
 */
public final class VirtualTime {
  private final PriorityQueue<VirtualEvent> events = new PriorityQueue<>(VirtualEvent::compare);
  private long now;
  private long planned;
  private long happened;

  /**
   * Starts at a time of day.
   *
   * @param start between the years 1970 and 2200; what is below a microsecond is dropped
   */
  public VirtualTime(Instant start) {
    now = ChronoUnit.MICROS.between(Instant.EPOCH, start);
  }

  /**
   * Returns the current time.
   *
   * @return microseconds since the epoch
   */
  public long now() {
    return now;
  }

  /**
   * Returns the number of events so far.
   *
   * @return 0 and more
   */
  public long happened() {
    return happened;
  }

  /**
   * Plans an event.
   *
   * @param micros when, in microseconds since the epoch; a time that has passed means now
   * @param work what is done then
   * @return the event, which can be called off
   */
  public VirtualEvent at(long micros, Runnable work) {
    VirtualEvent event = new VirtualEvent(Math.max(now, micros), planned++, work);
    events.add(event);
    return event;
  }

  /**
   * Plans an event from now on.
   *
   * @param micros how much later, 0 and more
   * @param work what is done then
   * @return the event, which can be called off
   */
  public VirtualEvent after(long micros, Runnable work) {
    return at(now + micros, work);
  }

  /**
   * Lets time pass, and everything happen that is planned until then.
   *
   * @param time how much, in whole microseconds
   */
  public void run(Duration time) {
    runUntil(now + time.toNanos() / 1_000);
  }

  /**
   * Lets time pass up to a time, and everything happen that is planned until then.
   *
   * @param micros microseconds since the epoch; this microsecond is included
   */
  public void runUntil(long micros) {
    VirtualEvent next = events.peek();
    while (next != null && next.time() <= micros) {
      events.remove();
      now = next.time();
      happened += next.happen() ? 1 : 0;
      next = events.peek();
    }
    now = Math.max(now, micros);
  }
}
