package io.weir.internal.writeback.channel;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Holds threads that sleep until their request is answered. When a batch is finished and more is
 * queued, one of them is woken to send the next.
 *
 * <p>It has only a few places: knowing some of a crowd is enough. A thread without a place sleeps
 * all the same, and is woken by its answer.
 *
 * <p>Invariant: exactly one thread, the sleeper itself or one that wakes it, removes it from its
 * place. So a thread that finds itself removed knows that it was to send, and hands that on if it
 * leaves.
 *
 * <p>Safe for concurrent use, without locks.
 */
final class WaitingThreads {
  static final int NO_PLACE = -1;
  private static final int PLACES = 16;

  private final AtomicReferenceArray<@Nullable WaitingThread> places =
      new AtomicReferenceArray<>(PLACES);

  /**
   * Has the calling thread sleep until it is answered, is woken to send, or its time runs out; it
   * may return earlier. Returns whether it was woken to send.
   */
  boolean sleep(WaitingThread caller) {
    int place = add(caller);
    if (!caller.isDone()) {
      caller.park();
    }
    return !remove(caller, place);
  }

  /** Returns the place of a thread, or {@link #NO_PLACE} if all are taken. */
  int add(WaitingThread caller) {
    for (int place = 0; place < PLACES; place++) {
      if (places.get(place) == null && places.compareAndSet(place, null, caller)) {
        return place;
      }
    }
    return NO_PLACE;
  }

  /** Removes a thread; false if it was woken to send. */
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
