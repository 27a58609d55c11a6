package io.weir.internal.writeback.channel;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time send. A thread that arrives meanwhile returns at once, and the sending
 * thread goes round once more for it. Callbacks run afterwards, so that a slow callback doesn't
 * keep others from sending.
 *
 * <p>Safe for concurrent use, without locks.
 */
final class SingleSender {
  private final Consumer<@Nullable WaitingThread> sendAll;
  private final AtomicInteger work = new AtomicInteger();
  private final Queue<AfterUnlock> callbacks = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Thread sender;

  /** Takes what sends whatever may be sent at the moment, or leaves a batch to the caller. */
  SingleSender(Consumer<@Nullable WaitingThread> sendAll) {
    this.sendAll = sendAll;
  }

  /**
   * Sends and runs the callbacks; returns false, at once, if another thread is sending.
   *
   * @param caller this thread, if it may wait for answers; otherwise null
   */
  boolean run(@Nullable WaitingThread caller) {
    if (work.getAndIncrement() != 0) {
      return false;
    }
    int seen = 1;
    try {
      while (seen != 0) {
        sender = Thread.currentThread();
        sendAll.accept(caller);
        sender = null; // before another thread may begin to send
        seen = work.addAndGet(-seen);
      }
    } finally {
      if (seen != 0) { // something was thrown: without this no thread could ever send again
        sender = null;
        work.set(0);
      }
    }
    for (AfterUnlock next = callbacks.poll(); next != null; next = callbacks.poll()) {
      next.run();
    }
    return true;
  }

  /**
   * Returns whether this thread is sending, that is, the store has answered before its call
   * returned.
   */
  boolean isSending() {
    return sender == Thread.currentThread();
  }

  /** Adds callbacks; called by the sending thread. */
  void defer(AfterUnlock after) {
    if (!after.isEmpty()) {
      callbacks.add(after);
    }
  }
}
