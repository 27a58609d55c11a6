package io.weir.test.threads;

import java.util.concurrent.ThreadFactory;

/**
 * Makes threads that may fail to start, as where a container limits their number and others have
 * them all.
 *
 * <p>Safe for concurrent use.
 */
public final class ScarceThreads implements ThreadFactory {
  private volatile boolean isExhausted;

  /** Lets no thread start from now on. */
  public void exhaust() {
    isExhausted = true;
  }

  /** Lets threads start again. */
  public void recover() {
    isExhausted = false;
  }

  /** Returns whether no thread can be started. */
  public boolean isExhausted() {
    return isExhausted;
  }

  @Override
  public Thread newThread(Runnable work) {
    Thread thread =
        new Thread(work) {
          @Override
          public synchronized void start() {
            if (isExhausted) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            super.start();
          }
        };
    thread.setDaemon(true);
    return thread;
  }
}
