package io.weir.internal.rules.rulebook;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Converts instants to microseconds since the epoch, by which requests compare times. */
public final class EpochMicros {
  private static final long MAX_SECONDS = TimeUnit.MICROSECONDS.toSeconds(Long.MAX_VALUE) - 1;

  private EpochMicros() {}

  /**
   * Returns a time in microseconds.
   *
   * @return since the epoch; as far as a long reaches, since a year beyond that is as good as never
   */
  public static long of(Instant time) {
    long seconds = Math.max(-MAX_SECONDS, Math.min(MAX_SECONDS, time.getEpochSecond()));
    return TimeUnit.SECONDS.toMicros(seconds) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }
}
