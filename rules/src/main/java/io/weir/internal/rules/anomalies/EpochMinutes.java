package io.weir.internal.rules.anomalies;

import java.time.Instant;

/** Converts between instants and minutes since the epoch. */
final class EpochMinutes {
  private static final int SECONDS = 60;

  private EpochMinutes() {}

  static long of(Instant time) {
    return Math.floorDiv(time.getEpochSecond(), SECONDS);
  }

  static Instant begin(long minute) {
    return Instant.ofEpochSecond(minute * SECONDS);
  }
}
