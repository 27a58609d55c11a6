package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.weir.Ticker;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of the coordinators, as this node knows it from what they told, and the timestamps that
 * it writes with.
 *
 * <p>A coordinator tells its time in each answer. It read it between the sending of the question
 * and the arrival of the answer, so {@link #now()} is never ahead of it, and behind by {@link
 * #uncertainty()} at most.
 *
 * <p>Safe for concurrent use.
 */
class StoreClock {
  private static final long MILLI = 1_000;

  private final Ticker ticker;
  private final AtomicLong lastTimestamp = new AtomicLong();
  private volatile Heard heard;

  /**
   * Goes by the time of day of this machine until a coordinator has told its own.
   *
   * @param ticker the source of this machine's time
   */
  StoreClock(Ticker ticker) {
    this.ticker = ticker;
    this.heard = new Heard(ticker.epochMicros(), 0, ticker.nanoTime());
  }

  /** This machine's time, to be told to {@link #hear} with the answer. */
  final long nanos() {
    return ticker.nanoTime();
  }

  /**
   * Takes in what a coordinator answered.
   *
   * @param told {@code now()} of CQL
   * @param sentAt {@link #nanos()} before the question was sent
   * @return the coordinator's time in microseconds since the epoch, rounded up
   */
  long hear(UUID told, long sentAt) {
    long micros = Uuids.unixTimestamp(told) * MILLI;
    long now = nanos();
    heard = new Heard(micros, (now - sentAt) / MILLI, now);
    return micros + MILLI - 1;
  }

  /**
   * The coordinators' time.
   *
   * @return microseconds since the epoch, rather too early
   */
  long now() {
    Heard last = heard;
    return last.micros + (nanos() - last.at) / MILLI;
  }

  /**
   * By how much {@link #now()} may be behind.
   *
   * @return microseconds
   */
  long uncertainty() {
    return heard.roundTrip + MILLI;
  }

  /**
   * A timestamp for what is written now.
   *
   * @return microseconds, more than any before
   */
  final long timestamp() {
    long micros = now();
    return lastTimestamp.updateAndGet(last -> Math.max(last + 1, micros));
  }

  /**
   * Timestamps are later than this from now on.
   *
   * @param timestamp that of a write by anybody
   */
  final void follow(long timestamp) {
    lastTimestamp.accumulateAndGet(timestamp, Math::max);
  }

  /** What was heard last, after how many microseconds, and when. */
  private record Heard(long micros, long roundTrip, long at) {}
}
