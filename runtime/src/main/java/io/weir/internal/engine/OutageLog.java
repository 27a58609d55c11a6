package io.weir.internal.engine;

import io.weir.Ticker;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Says once in the log that the store can't be reached, and once that it can again.
 *
 * <p>The line tells the cause in its own words; its stack trace is logged at {@code DEBUG}. That
 * something took too long is no cause, so the first one that comes to be known afterwards is told
 * as well.
 *
 * <p>A store that stumbles answers some and fails others. It is back only when an answer comes a
 * second after the last failure, or else each stumble would be an outage of its own.
 *
 * <p>Safe for concurrent use.
 */
class OutageLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long CALM = Duration.ofSeconds(1).toNanos();

  private final Ticker ticker;
  private final AtomicBoolean lasts = new AtomicBoolean();
  private final AtomicBoolean unexplained = new AtomicBoolean();
  private volatile long failedAt;

  OutageLog(Ticker ticker) {
    this.ticker = ticker;
  }

  void failed(Throwable cause) {
    failedAt = ticker.nanoTime();
    Throwable why = unwrapped(cause);
    if (lasts.compareAndSet(false, true)) {
      unexplained.set(why instanceof TimeoutException);
      tell(
          "The store can't be reached; until it can, each policy decides by its onStoreFailure"
              + " (weir.on-store-failure): ",
          why);
    } else {
      explained(why);
    }
  }

  /** Why something failed that was told as a failure before. */
  void explained(Throwable cause) {
    Throwable why = unwrapped(cause);
    if (lasts.get()
        && !(why instanceof TimeoutException)
        && unexplained.compareAndSet(true, false)) {
      tell("Why the store can't be reached: ", why);
    }
  }

  private static void tell(String what, Throwable why) {
    LOG.log(Level.WARNING, what + why);
    LOG.log(Level.DEBUG, "Why the store can't be reached", why);
  }

  private static Throwable unwrapped(Throwable cause) {
    Throwable inner = cause instanceof CompletionException ? cause.getCause() : null;
    return inner == null ? cause : inner;
  }

  void answered() {
    if (lasts.get() && ticker.nanoTime() - failedAt >= CALM && lasts.compareAndSet(true, false)) {
      LOG.log(Level.INFO, "The store answers again.");
    }
  }
}
