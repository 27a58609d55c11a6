package io.weir.internal.writeback.channel;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The callers that sleep until their request is answered. When a batch is over and more is queued,
 * one of them is woken to send the next.
 *
 * <p>There are only a few places: it is enough to know some of a crowd. A caller that has none
 * sleeps all the same, and is woken by its answer.
 *
 * <p>Invariant: whoever takes a caller out of its place, itself or one that wakes it, is the only
 * one to do so. So a caller that finds itself taken out knows that it was to send, and passes that
 * on if it leaves.
 *
 * <p>Safe for concurrent use, without locks.
 */
final class WaitingThreads {
  static final int NO_PLACE = -1;
  private static final int PLACES = 16;

  private final AtomicReferenceArray<@Nullable WaitingThread> places = new AtomicReferenceArray<>(PLACES);

  /**
   * Has the calling thread sleep until it is answered, woken to send, or its time is over; or a
   * little less.
   *
   * @return whether it was woken to send
   */
  boolean sleep(WaitingThread caller) {
    int place = add(caller);
    if (!caller.isDone()) {
      caller.park();
    }
    return !remove(caller, place);
  }

  /** Adds a caller; its place, or {@link #NO_PLACE} if all are taken. */
  int add(WaitingThread caller) {
    for (int place = 0; place < PLACES; place++) {
      if (places.get(place) == null && places.compareAndSet(place, null, caller)) {
        return place;
      }
    }
    return NO_PLACE;
  }

  /** Takes a caller out; false if it was woken to send. */
  boolean remove(WaitingThread caller, int place) {
    return place == NO_PLACE || places.compareAndSet(place, caller, null);
  }

  /** Wakes one to send; false if there is none. */
  boolean wakeOne() {
    for (int place = 0; place < PLACES; place++) {
      WaitingThread caller = places.get(place);
      if (caller != null && places.compareAndSet(place, caller, null)) {
        caller.wake();
        return true;
      }
    }
    return false;
  }
}
