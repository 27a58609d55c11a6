package io.weir.internal.store;

import io.weir.Ticker;
import io.weir.internal.extension.NonThrowingLog;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Logs each failure that an operator has to fix once, and once that the store works again: for each
 * kind of failure, and for all that have none.
 *
 * <p>A store that takes no writes still answers reads, and one bad key doesn't affect the others.
 * So a failure counts as fixed only when an answer arrives and the failure hasn't occurred for a
 * few seconds.
 *
 * <p>Loses no answer because the log can't be written. Safe for concurrent use.
 */
public final class StoreFailureLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long CALM = TimeUnit.SECONDS.toNanos(5);
  private static final String UNTIL_THEN = "Until then each policy decides by its onStoreFailure.";

  /** The most hints that are distinguished, since a driver may say something new each time. */
  private static final int MAX_HINTS = 16;

  private static final String FURTHER_HINTS = "";

  private final String store;
  private final Ticker ticker;

  /** When the failures of each kind occurred last. */
  private final Map<String, Long> kinds = new ConcurrentHashMap<>();

  /** When the failures without a kind occurred last, by the hint. */
  private final Map<String, Long> hints = new ConcurrentHashMap<>();

  private final AtomicBoolean unreadable = new AtomicBoolean();

  /**
   * Begins without failures.
   *
   * @param store its kind and address, for the beginning of lines
   */
  public StoreFailureLog(String store, Ticker ticker) {
    this.store = store;
    this.ticker = ticker;
  }

  /**
   * Logs a failure that doesn't pass by itself.
   *
   * @param hint what to do, which also identifies the failure, unless too many are known already
   */
  public void failed(String hint) {
    boolean isDistinguished = hints.size() < MAX_HINTS || hints.containsKey(hint);
    raise(hints, isDistinguished ? hint : FURTHER_HINTS, hint + "\n" + UNTIL_THEN);
  }

  /**
   * Logs a failure that doesn't pass by itself, with what the store says.
   *
   * @param kind one of a few words, which identifies the failure, also where its end is logged
   * @param hint what to do, without a full stop
   * @param said the store's own words
   */
  public void failed(String kind, String hint, String said) {
    raise(kinds, kind, hint + ". " + UNTIL_THEN + " " + said);
  }

  private void raise(Map<String, Long> failures, String failure, String text) {
    if (failures.put(failure, ticker.nanoTime()) == null) {
      log(Level.ERROR, store + " can't be used by Weir: " + text);
    }
  }

  /** Notes an answer, which ends failures that haven't occurred for a while. */
  public void answered() {
    if (!kinds.isEmpty() || !hints.isEmpty()) {
      end(CALM);
    }
  }

  /** Notes that the store works, which ends all failures. */
  public void mended() {
    end(0);
  }

  private synchronized void end(long calm) {
    long now = ticker.nanoTime();
    String again = store + " can be used by Weir again";
    kinds.forEach(
        (kind, at) -> {
          if (now - at >= calm && kinds.remove(kind, at)) {
            log(Level.INFO, again + " (" + kind + ").");
          }
        });
    if (hints.values().removeIf(at -> now - at >= calm) && hints.isEmpty()) {
      log(Level.INFO, again + ".");
    }
  }

  /** Logs once that a bucket can't be read. */
  public void unreadable(@Nullable String why) {
    if (unreadable.compareAndSet(false, true)) {
      warn(
          store
              + ": a bucket can't be read, so its requests are decided as if the store"
              + " couldn't be reached (logged once): "
              + why);
    }
  }

  public void warn(String text) {
    log(Level.WARNING, text);
  }

  @Override
  public String toString() {
    return store;
  }

  private static void log(Level level, String text) {
    NonThrowingLog.log(LOG, level, text);
  }
}
