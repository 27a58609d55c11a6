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
    safely(listener::answered);
  }

  private static void safely(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | LinkageError dropped) {
      // See the class comment.
    }
  }
}
