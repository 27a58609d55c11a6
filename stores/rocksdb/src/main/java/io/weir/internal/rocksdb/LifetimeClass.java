package io.weir.internal.rocksdb;

import java.time.Duration;

/**
 * Classifies buckets by how long they live. Buckets of one class share {@link BucketGeneration}s,
 * each of which is dropped whole when all its buckets have expired. So expired buckets leave the
 * disk without a search.
 */
enum LifetimeClass {
  MINUTES(Duration.ofMinutes(10)),
  HOURS(Duration.ofHours(4)),
  DAYS(Duration.ofDays(3)),
  MONTHS(Duration.ofDays(80)),
  YEARS(Duration.ofDays(800)),
  /** More than a century, for buckets that take as long to refill. */
  LONGEST(Duration.ofDays(52_000));

  private final long micros;

  LifetimeClass(Duration most) {
    this.micros = most.toSeconds() * 1_000_000L;
  }

  /** Returns the longest life of a bucket of this class after it was written. */
  long micros() {
    return micros;
  }

  /** Returns the shortest class that is long enough. */
  static LifetimeClass of(long micros) {
    for (LifetimeClass each : values()) {
      if (micros <= each.micros) {
        return each;
      }
    }
    return LONGEST;
  }
}
