package io.weir.internal.rocksdb;

import java.time.Duration;

/**
 * How long buckets live, in classes. Those of one class share {@link Generation}s, each of which is
 * dropped whole when all that is in it is over. So what is over leaves the disk without being
 * looked for.
 */
enum Lifetime {
  MINUTES(Duration.ofMinutes(10)),
  HOURS(Duration.ofHours(4)),
  DAYS(Duration.ofDays(3)),
  MONTHS(Duration.ofDays(80)),
  YEARS(Duration.ofDays(800)),
  /** A life, for buckets that take as long to be full again. */
  LONGEST(Duration.ofDays(52_000));

  private final long micros;

  Lifetime(Duration most) {
    this.micros = most.toSeconds() * 1_000_000L;
  }

  /** The most that a bucket of this class lives after it was written. */
  long micros() {
    return micros;
  }

  /** The shortest class for what lives so long. */
  static Lifetime of(long micros) {
    for (Lifetime each : values()) {
      if (micros <= each.micros) {
        return each;
      }
    }
    return LONGEST;
  }
}
