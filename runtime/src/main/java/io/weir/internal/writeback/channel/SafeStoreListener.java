package io.weir.internal.writeback.channel;

import io.weir.internal.permits.StoreListener;

/**
 * Calls a {@link StoreListener} and ignores what it throws: a broken listener must not lose an
 * answer.
 *
 * <p>Safe for concurrent use.
 */
public final class SafeStoreListener {
  private final StoreListener listener;
  private volatile boolean answered;

  public SafeStoreListener(StoreListener listener) {
    this.listener = listener;
  }

  void storeExecuted(int claims, long nanos) {
    safely(() -> listener.storeExecuted(claims, nanos));
  }

  public void failed(Throwable cause) {
    safely(() -> listener.failed(cause));
  }

  void explained(Throwable cause) {
    safely(() -> listener.explained(cause));
  }

  public void answered() {
    if (!answered) {
      answered = true;
    }
    safely(listener::answered);
  }

  /** Returns whether the store has answered anything since {@link #resetAnswered()}. */
  public boolean hasAnswered() {
    return answered;
  }

  public void resetAnswered() {
    answered = false;
  }

  private static void safely(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | LinkageError dropped) {
      // See the class comment.
    }
  }
}
