package io.weir.internal.cassandra;

import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.weir.Ticker;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Follows the coordinators' clock, and makes the timestamps of writes.
 *
 * <p>Each answer contains the coordinator's time. It was read between the sending of the request
 * and the arrival of the answer, so {@link #now()} is never ahead of it, and behind by at most
 * {@link #uncertainty()}.
 *
 * <p>Safe for concurrent use.
 */
class StoreClock {
  private static final long MILLI = 1_000;

  private final Ticker ticker;
  private final AtomicLong lastTimestamp = new AtomicLong();
  private volatile Heard heard;

  /** Follows this machine's wall clock until the first answer. */
  StoreClock(Ticker ticker) {
    this.ticker = ticker;
    this.heard = new Heard(ticker.epochMicros(), 0, ticker.nanoTime());
  }

  /** Returns this machine's time, to be passed to {@link #hear} with the answer. */
  final long nanos() {
    return ticker.nanoTime();
  }

  /**
   * Takes the coordinator's time from an answer.
   *
   * @param reported {@code now()} of CQL
   * @param sentAt {@link #nanos()} before the request was sent
   * @return the coordinator's time in microseconds since the epoch, rounded up
   */
  long hear(UUID reported, long sentAt) {
    long micros = Uuids.unixTimestamp(reported) * MILLI;
    long now = nanos();
    heard = new Heard(micros, (now - sentAt) / MILLI, now);
    return micros + MILLI - 1;
  }

  /** Returns the coordinators' time in microseconds since the epoch, never ahead. */
  long now() {
    Heard last = heard;
    return last.micros + (nanos() - last.at) / MILLI;
  }

  /** Returns the most microseconds by which {@link #now()} may be behind. */
  long uncertainty() {
    return heard.roundTrip + MILLI;
  }

  /** Returns a timestamp of a write in microseconds, larger than every one before. */
  final long timestamp() {
    long micros = now();
    return lastTimestamp.updateAndGet(last -> Math.max(last + 1, micros));
  }

  /** Makes all further timestamps later than one of a write by any node. */
  final void follow(long timestamp) {
    lastTimestamp.accumulateAndGet(timestamp, Math::max);
  }

  /** The last answer: its time, how long it took in microseconds, and when it arrived. */
  private record Heard(long micros, long roundTrip, long at) {}
}
