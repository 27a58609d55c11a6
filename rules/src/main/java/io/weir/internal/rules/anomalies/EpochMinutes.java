package io.weir.internal.rules.anomalies;

import java.time.Instant;

/** Minutes as numbers since the epoch. */
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
