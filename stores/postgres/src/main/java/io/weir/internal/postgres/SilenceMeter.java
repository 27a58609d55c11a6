package io.weir.internal.postgres;

import io.weir.Ticker;
import java.util.TreeMap;

/**
 * Measures for how long the server has owed an answer. It answers on several connections, so it
 * owes each answer since the statement was sent, or since one that was sent later was answered:
 * then it isn't silent, and this node may just not have read the older answer yet.
 *
 * <p>A statement that was given up is owed until any other is answered.
 *
 * <p>Safe for concurrent use.
 */
final class SilenceMeter {
  private static final long MICRO = 1_000;

  private final Ticker ticker;

  /** Since when each statement is owed, in the order in which they were sent. */
  private final TreeMap<Long, Long> owed = new TreeMap<>();

  private long sent;
  private boolean gaveUp;
  private long givenUpSince;

  SilenceMeter(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Notes that a statement is sent. */
  synchronized long begin() {
    sent++;
    owed.put(sent, ticker.nanoTime());
    return sent;
  }

  /** Notes an answer to a statement. */
  synchronized void answered(long number) {
    long now = ticker.nanoTime();
    owed.remove(number);
    owed.headMap(number).replaceAll((older, since) -> now);
    gaveUp = false;
  }

  /** Notes that a statement was given up, by this node or by the server. */
  synchronized void givenUp(long number) {
    Long since = owed.remove(number);
    if (since != null && (!gaveUp || since - givenUpSince < 0)) {
      gaveUp = true;
      givenUpSince = since;
    }
  }

  synchronized long micros() {
    long now = ticker.nanoTime();
    long longest = gaveUp ? now - givenUpSince : 0;
    for (long since : owed.values()) {
      longest = Math.max(longest, now - since);
    }
    return longest / MICRO;
  }
}
