package io.weir.internal.postgres;

import io.weir.Ticker;
import io.weir.internal.clock.ClockJumpDetector;
import java.util.Arrays;

/**
 * Follows the server's clock between answers, so that a claim is counted by it without asking for
 * the time first.
 *
 * <p>Each answer contains the server's time, which was read between the sending of the statement
 * and the arrival of its answer. So the difference to this machine's even clock lies in an
 * interval, and all answers together narrow it. {@link #now()} is its lower end, never ahead of the
 * server, and behind by at most {@link #uncertainty()}. An answer outside it means that the clock
 * was set, or that another server answers: then only that answer counts.
 *
 * <p>Safe for concurrent use.
 */
class StoreClock {
  /**
   * The server's time in microseconds. Not {@code now()}, which stands still in a transaction. It
   * names what it calls in full: it also runs before the search path is set.
   */
  static final String SQL =
      "(extract(epoch FROM pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) 1000000.0)::bigint";

  private static final long MICRO = 1_000;

  /** The number of answers from which the way to the server is estimated. */
  private static final int LAGS = 8;

  /** The part of the shortest way that isn't relied on, and the least. */
  private static final int LAG_MARGIN = 8;

  private static final long LEAST_LAG_MARGIN = 1_000;

  /** The most by which two clocks drift apart: one part in 2,000, five times what is usual. */
  private static final int DRIFT = 2_000;

  private final Ticker ticker;
  private final ClockJumpDetector jumps = ClockJumpDetector.ofStore("PostgreSQL");

  /** The server's clock minus this machine's even one, at the least and at the most. */
  private long least;

  private long most;

  /** When the interval was valid, by the even clock in microseconds. */
  private long heardAt;

  private boolean heard;

  /** How far the server's clock was ahead of {@link #now()} in the last answers. */
  private final long[] lags = new long[LAGS];

  private int lagsHeard;

  StoreClock(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Returns {@link #SQL}, the time that the server gives to what is appended to rows. */
  String sql() {
    return SQL;
  }

  /** Returns this machine's even clock, in microseconds. */
  final long evenMicros() {
    return ticker.nanoTime() / MICRO;
  }

  /**
   * Takes the server's time from an answer.
   *
   * @param micros {@code clock_timestamp()}, since the epoch
   * @param sentAt {@link #evenMicros()} before the statement was sent
   */
  void hear(long micros, long sentAt) {
    long now = evenMicros();
    narrow(micros - now, micros - sentAt, now);
    jumps.record(micros, sentAt, now);
  }

  private synchronized void narrow(long low, long high, long now) {
    long drift = Math.max(0, now - heardAt) / DRIFT + 1;
    boolean apart = !heard || low > most + drift || high < least - drift;
    least = apart ? low : Math.max(low, least - drift);
    most = apart ? high : Math.min(high, most + drift);
    heardAt = now;
    heard = true;
  }

  /**
   * Returns the server's time in microseconds since the epoch, never ahead; this machine's time
   * until the first answer.
   */
  long now() {
    return least();
  }

  private synchronized long least() {
    if (!heard) {
      return ticker.epochMicros();
    }
    long now = evenMicros();
    return now + least - Math.max(0, now - heardAt) / DRIFT - 1;
  }

  /** Returns the most microseconds by which {@link #now()} may be behind. */
  long uncertainty() {
    return width();
  }

  private synchronized long width() {
    return most - least + 2 * (Math.max(0, evenMicros() - heardAt) / DRIFT + 1);
  }

  /**
   * Returns the time that the server's clock will at least show when it executes a statement that
   * is sent now, as far as the last answers tell: the statement is on its way first. The statement
   * compares it.
   *
   * @return microseconds since the epoch, {@link #now()} and more
   */
  long nowOnArrival() {
    return now() + leastLag();
  }

  private synchronized long leastLag() {
    if (lagsHeard < LAGS) {
      return 0;
    }
    long least = Arrays.stream(lags).min().orElse(0);
    return Math.max(0, least - Math.max(LEAST_LAG_MARGIN, least / LAG_MARGIN));
  }

  /**
   * Takes the server's time from an answer to a statement that was sent at a time.
   *
   * @param sent {@link #now()} when it was sent
   * @param reported the server's time in the answer
   */
  synchronized void hearLag(long sent, long reported) {
    lags[lagsHeard % LAGS] = Math.max(0, reported - sent);
    lagsHeard = lagsHeard == 2 * LAGS - 1 ? LAGS : lagsHeard + 1;
  }

  /**
   * Returns how much of a grant's life had passed when the server executed it.
   *
   * @param computed the time for which the grant was computed
   * @param reported the server's time in the answer
   * @return microseconds
   */
  long passed(long computed, long reported) {
    return Math.max(0, reported - computed);
  }

  /**
   * Returns how long a claim waited before the round that executed it. The life of its grant is
   * counted from when the claim was sent.
   *
   * @param asked {@link #evenMicros()} when it arrived
   * @param sent {@link #evenMicros()} when the round was sent
   * @return microseconds
   */
  long waited(long asked, long sent) {
    return Math.max(0, sent - asked);
  }

  /** Returns whether the server's clock had reached the time for which a round was computed. */
  boolean isReached(long computed, long reported) {
    return computed <= reported;
  }

  /**
   * Returns the time that the server's clock must show at least, for a round to count.
   *
   * @param computed the time for which the round was computed
   */
  long from(long computed) {
    return computed;
  }

  /**
   * Returns the time that the server's clock mustn't show yet, for a row to be replaced.
   *
   * @param slotEnd when the first of its grants ends
   */
  long until(long slotEnd) {
    return slotEnd;
  }
}
