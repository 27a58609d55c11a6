package io.weir.internal.postgres;

import io.weir.Ticker;

/**
 * Measures for how long the server has owed an answer.
 *
 * <p>Safe for concurrent use.
 */
final class AnswerWatch {
  private static final long MICRO = 1_000;

  private final Ticker ticker;
  private int owed;
  private long since;
  private boolean silent;

  AnswerWatch(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Notes that a statement is sent. */
  synchronized void sent() {
    if (!silent) {
      silent = true;
      since = ticker.nanoTime();
    }
    owed++;
  }

  /** Notes an answer: then the others are owed from now on. */
  synchronized void answered() {
    owed--;
    silent = owed > 0;
    since = ticker.nanoTime();
  }

  /** Notes that a statement was given up; its answer is still owed. */
  synchronized void gaveUp() {
    owed--;
  }

  synchronized long micros() {
    return silent ? (ticker.nanoTime() - since) / MICRO : 0;
  }
}
