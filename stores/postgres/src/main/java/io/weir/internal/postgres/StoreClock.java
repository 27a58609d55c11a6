package io.weir.internal.postgres;

import io.weir.Ticker;
import io.weir.internal.clock.ClockJumpDetector;

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
  /** The server's time in microseconds. Not {@code now()}, which stands still in a transaction. */
  static final String SQL = "(extract(epoch from clock_timestamp()) * 1000000)::bigint";

  private static final long MICRO = 1_000;

  /** The most by which two clocks drift apart: one part in 2,000, five times what is usual. */
  private static final int DRIFT = 2_000;

  private final Ticker ticker;
  private final ClockJumpDetector jumps =
      new ClockJumpDetector(
          "The clock of PostgreSQL",
          "limits are counted by it, so callers may have waited too long, or not long enough."
              + " Set it gradually, with chrony or ntpd, on all its servers: one with a different"
              + " time may have taken over");

  /** The server's clock minus this machine's even one, at the least and at the most. */
  private long least;

  private long most;

  /** When the interval was valid, by the even clock in microseconds. */
  private long heardAt;

  private boolean heard;

  StoreClock(Ticker ticker) {
    this.ticker = ticker;
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
   * Returns the server's time.
   *
   * @return microseconds since the epoch, never ahead; this machine's time until the first answer
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

  /**
   * Returns the most by which {@link #now()} may be behind.
   *
   * @return microseconds
   */
  long uncertainty() {
    return width();
  }

  private synchronized long width() {
    return most - least + 2 * (Math.max(0, evenMicros() - heardAt) / DRIFT + 1);
  }

  /**
   * Returns the most by which {@link #now()} was behind, as the next answer shows. That is more
   * than it seemed if this machine was suspended, or the server's clock was set, in between.
   *
   * @param now what it was
   * @param uncertainty what it seemed
   * @param begun {@link #evenMicros()} at that time
   * @param reported the server's time in the answer
   * @return microseconds
   */
  long behind(long now, long uncertainty, long begun, long reported) {
    long passed = reported - now;
    return passed > uncertainty + evenMicros() - begun ? passed : uncertainty;
  }
}
