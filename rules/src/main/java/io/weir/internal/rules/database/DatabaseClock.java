package io.weir.internal.rules.database;

import io.weir.Ticker;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the database's time of day without asking it: the time that it last said, and what has
 * passed since. So all nodes agree on it, however wrong their own clocks are.
 *
 * <p>Safe for concurrent use.
 */
public final class DatabaseClock {
  private final Ticker ticker;
  private volatile @Nullable Reading last;

  private record Reading(Instant time, long nanoTime) {}

  /**
   * Knows only the time of this node until the database is heard.
   *
   * @param ticker measures what has passed, and is the time until then
   */
  public DatabaseClock(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Notes what the database just said.
   *
   * @param time its time of day
   */
  public void hear(Instant time) {
    last = new Reading(time, ticker.nanoTime());
  }

  /** Returns the database's time of day; this node's own as long as the database wasn't heard. */
  public Instant now() {
    Reading heard = last;
    return heard == null
        ? ticker.instant()
        : heard.time.plus(Duration.ofNanos(ticker.nanoTime() - heard.nanoTime));
  }
}
