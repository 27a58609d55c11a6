package io.weir.store;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Claims of all kinds on one bucket at all times, as chance has it.
 *
 * <p>Confine to one thread.
 */
final class ClaimSequence {
  private static final long HOUR = 3_600_000_000L;
  private static final long[] WINDOWS = {10_000, 299_999, 999_983, 60_000_000, 86_400_000_000L};
  private static final CalendarWindow DAYS =
      CalendarWindow.of(1, ChronoUnit.DAYS, ZoneId.of("Africa/Cairo"));

  /** In which all sequences begin. */
  private static final CalendarWindow PERIOD =
      CalendarWindow.period(
          Instant.parse("2023-11-14T00:00:00Z"), Instant.parse("2023-11-15T12:00:00Z"));

  private final Random random;
  private final List<Grant> grants = new ArrayList<>();
  private final boolean lends;
  private final long pace;
  private long limit;
  private long burst;

  final BucketId bucket;
  long now;

  ClaimSequence(Random random, Algorithm algorithm) {
    this(
        random,
        BucketSpec.builder("random")
            .algorithm(algorithm)
            .window(Duration.of(WINDOWS[random.nextInt(WINDOWS.length)], ChronoUnit.MICROS))
            .build());
  }

  /** By the calendar. */
  ClaimSequence(Random random) {
    this(
        random,
        BucketSpec.builder("random")
            .algorithm(Algorithm.FIXED_WINDOW)
            .calendar(random.nextBoolean() ? DAYS : PERIOD)
            .build());
  }

  private ClaimSequence(Random random, BucketSpec spec) {
    this.random = random;
    Algorithm algorithm = spec.algorithm();
    long window = spec.windowMicros();
    this.bucket = new BucketId(spec, Key.everybody());
    this.lends = algorithm == Algorithm.FIXED_WINDOW || algorithm == Algorithm.SLIDING_WINDOW;
    this.pace = Math.max(1, window >>> random.nextInt(12));
    this.now = 1_700_000_040_000_000L + random.nextInt(1_000_000_000);
    change();
  }

  private void change() {
    limit = amount();
    burst = random.nextBoolean() ? limit : amount();
  }

  private long amount() {
    return switch (random.nextInt(6)) {
      case 0 -> 1_000_000_000;
      case 1 -> 1 + random.nextInt(3);
      default -> 1 + random.nextInt(100);
    };
  }

  /** The next claim, a while after the last one. */
  Claim next() {
    now += elapsed();
    if (random.nextInt(20) == 0) {
      change();
    }
    long needed = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(5);
    Claim.Builder claim =
        Claim.builder(bucket, limit, burst)
            .needed(needed)
            .atLeast(random.nextBoolean() ? needed : 0)
            .extra(random.nextInt(3) == 0 ? amount() : 0)
            .far(lends && random.nextInt(3) == 0 ? 1 + random.nextInt(32) : 0)
            .debt(random.nextInt(8) == 0 ? amount() : 0)
            .usedAtLeast(bucket.spec().isOfPeriod() && random.nextInt(3) == 0 ? amount() : 0);
    if (!grants.isEmpty() && random.nextInt(3) == 0) {
      Grant old = grants.get(grants.size() - 1 - random.nextInt(Math.min(grants.size(), 20)));
      long spent = old.isFar() ? random.nextInt(3) : 0;
      claim.giveBack(new GiveBack(old.stamp(), 1 + random.nextInt(3), spent));
    }
    return named(claim.build());
  }

  /** Of a calendar often with a window, which may be another one than that which is running. */
  private Claim named(Claim claim) {
    CalendarWindow windows = bucket.spec().calendar().orElse(null);
    if (windows == null || random.nextInt(3) == 0) {
      return claim;
    }
    long at = random.nextInt(4) == 0 ? now + random.nextInt(3) * HOUR - HOUR : now;
    long other = random.nextInt(4) == 0 ? HOUR : 0;
    return claim.inWindow(windows.opens(at) + other, windows.closes(at) + other);
  }

  private long elapsed() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> 0;
      case 3 -> 1;
      case 4 -> Math.floorMod(random.nextLong(), 3 * bucket.spec().windowMicros());
      default -> Math.floorMod(random.nextLong(), pace);
    };
  }

  void granted(Grant grant) {
    grants.add(grant);
  }
}
