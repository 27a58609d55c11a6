package io.weir.testkit.virtual;

import org.jspecify.annotations.Nullable;

/**
 * Something planned on a {@link VirtualTime}.
 *
 * <p>Confine to one thread.
 */
public final class VirtualEvent {
  private final long time;
  private final long number;
  private @Nullable Runnable work;

  VirtualEvent(long time, long number, Runnable work) {
    this.time = time;
    this.number = number;
    this.work = work;
  }

  /**
   * Returns when it happens.
   *
   * @return microseconds since the epoch
   */
  public long time() {
    return time;
  }

  /** In order of time, then in that of planning. */
  static int compare(VirtualEvent one, VirtualEvent two) {
    return one.time != two.time
        ? Long.compare(one.time, two.time)
        : Long.compare(one.number, two.number);
  }

  /** Calls the event off; nothing if it has happened. */
  public void cancel() {
    work = null;
  }

  boolean happen() {
    Runnable due = work;
    work = null;
    if (due == null) {
      return false;
    }
    due.run();
    return true;
  }
}
