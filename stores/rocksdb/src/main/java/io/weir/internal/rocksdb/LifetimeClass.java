package io.weir.internal.rocksdb;

import java.time.Duration;

/**
 * Classifies buckets by how long they live. Buckets of one class share {@link BucketGeneration}s,
 * each of which is dropped whole when all its buckets have expired. So expired buckets leave the
 * disk without a search: at the latest when as much time has passed since they were written as
 * their class lives, and one stretch of writing. Classes that live long have short stretches.
 */
enum LifetimeClass {
  MINUTES(Duration.ofMinutes(10), 1),
  HOURS(Duration.ofHours(4), 1),
  DAYS(Duration.ofDays(3), 1),
  WEEKS(Duration.ofDays(20), 4),
  /** For what a month needs, and a billing period that is kept for 40 days beyond its end. */
  QUARTERS(Duration.ofDays(80), 8),
  /** As an earlier version wrote it; nothing is added any more. */
  MONTHS(Duration.ofDays(80), 1),
  TWO_YEARS(Duration.ofDays(800), 8),
  /** As an earlier version wrote it; nothing is added any more. */
  YEARS(Duration.ofDays(800), 1),
  /** More than a century, for buckets that take as long to refill. */
  LONGEST(Duration.ofDays(52_000), 1);

  private final long micros;
  private final long stretch;

  LifetimeClass(Duration most, int stretches) {
    this.micros = most.toSeconds() * 1_000_000L;
    this.stretch = micros / stretches;
  }

  /** Returns the longest life of a bucket of this class after it was written. */
  long micros() {
    return micros;
  }

  /** Returns the time for which a generation of this class takes new buckets. */
  long stretchMicros() {
    return stretch;
  }

  /** Returns the shortest class that is long enough and still written. */
  static LifetimeClass of(long micros) {
    for (LifetimeClass each : values()) {
      if (micros <= each.micros) {
        return each; // an old class of the same length comes after the one that replaces it
      }
    }
    return LONGEST;
  }
}
