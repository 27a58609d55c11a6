package io.weir.internal.redis;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Claims of one bucket of all kinds at all times, and what the algorithm in Java grants.
 *
 * <p>Confine to one thread.
 */
final class RandomClaims {
  private static final BucketArithmetic ARITHMETIC =
      BucketArithmetic.leasing(Scripts.MIN_LIFE_MICROS);
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long LATEST = 1L << 51;
  private static final long YEAR = 366L * 86_400 * 1_000_000;
  private static final long[] WINDOWS = {
    10_000, 12_345, 299_999, 300_000, 999_983, 60_000_000, YEAR - 1, YEAR
  };
  private static final CalendarWindow[] CALENDARS = {
    CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.ofHours(-3)),
    CalendarWindow.of(1, ChronoUnit.WEEKS, ZoneId.of("Europe/Berlin")),
    CalendarWindow.of(2, ChronoUnit.MONTHS, ZoneId.of("America/Sao_Paulo")),
    CalendarWindow.of(1, ChronoUnit.YEARS, ZoneOffset.UTC),
    CalendarWindow.period(
        Instant.parse("2023-11-16T23:00:00Z"), Instant.parse("2023-12-15T23:00:00.000001Z"))
  };
  private static final long HOUR = 3_600_000_000L;
  private static final long[] SMALL = {1, 2, 3, 7, 10, 60, 100, 1_000};
  private static final long[] LARGE = {
    1, 7, 1_000, 999_999_937, 1_000_000_000, 11_000_000_000L, 1L << 40, 1L << 50, Long.MAX_VALUE
  };

  private final Random random;
  private LiveBucket state;
  private final long[] amounts;
  private final boolean lends;
  private final List<Long> stamps = new ArrayList<>();
  private long now = NOW;
  private long effectiveLimit;
  private long burst;
  private List<Long> kept = List.of();

  final BucketId bucket;
  final List<ScriptRig.Moment> moments = new ArrayList<>();
  final List<Grant> expected = new ArrayList<>();

  RandomClaims(Random random, Algorithm algorithm) {
    this(random, drawn(random, algorithm, WINDOWS[random.nextInt(WINDOWS.length)]));
  }

  /** By the calendar. */
  RandomClaims(Random random) {
    this(random, calendar(CALENDARS[random.nextInt(CALENDARS.length)]));
  }

  private RandomClaims(Random random, BucketSpec spec) {
    this.random = random;
    long window = spec.windowMicros();
    Algorithm algorithm = spec.algorithm();
    amounts = random.nextInt(3) == 0 ? LARGE : SMALL;
    bucket = new BucketId(spec, Key.of(Long.toString(random.nextLong())));
    state = ARITHMETIC.fresh(spec);
    lends = algorithm == Algorithm.FIXED_WINDOW || algorithm == Algorithm.SLIDING_WINDOW;
    now += Math.floorMod(random.nextLong(), 3 * window);
    effectiveLimit = any(amounts);
    burst = any(amounts);
  }

  /** The spec of buckets, with a window in microseconds. */
  static BucketSpec spec(Algorithm algorithm, long window) {
    return BucketSpec.builder("random")
        .algorithm(algorithm)
        .window(Duration.of(window, ChronoUnit.MICROS))
        .build();
  }

  /** A token bucket may have a refill of its own. */
  private static BucketSpec drawn(Random random, Algorithm algorithm, long window) {
    if (algorithm != Algorithm.TOKEN_BUCKET || random.nextBoolean()) {
      return spec(algorithm, window);
    }
    return BucketSpec.builder("random")
        .algorithm(algorithm)
        .window(Duration.of(window, ChronoUnit.MICROS))
        .refill(true)
        .strict(random.nextInt(3) > 0)
        .build();
  }

  /** The same by the calendar. */
  static BucketSpec calendar(CalendarWindow windows) {
    return BucketSpec.builder("random").algorithm(Algorithm.FIXED_WINDOW).calendar(windows).build();
  }

  /** With the window that is running, or one that another node may name. */
  private Claim named(Claim claim) {
    if (bucket.spec().calendar().isEmpty()) {
      return claim;
    }
    CalendarWindow windows = bucket.spec().calendar().get();
    long at =
        switch (random.nextInt(8)) {
          case 0 -> now - windows.longest().toNanos() / 1_000 / 2;
          case 1 -> now + windows.longest().toNanos() / 1_000 / 2;
          default -> now;
        };
    long other = random.nextInt(3) == 0 ? (random.nextInt(3) - 1) * HOUR : 0; // time zone data
    return claim.inWindow(windows.opens(at) + other, windows.closes(at) + other);
  }

  /** Asks so many times. */
  RandomClaims asked(int times) {
    long pace = Math.max(1, bucket.spec().windowMicros() >>> random.nextInt(12));
    for (int i = 0; i < times; i++) {
      now = Math.min(LATEST, now + elapsed(pace));
      if (random.nextInt(20) == 0) {
        change();
      }
      Claim claim = named(claim());
      Grant grant = state.execute(claim, now);
      forgetFresh(claim, grant);
      stamps.add(grant.stamp());
      expected.add(grant);
      moments.add(new ScriptRig.Moment(now, forRedis(claim)));
    }
    return this;
  }

  /** Redis doesn't keep a bucket that equals a fresh one when it would write it. */
  private void forgetFresh(Claim claim, Grant grant) {
    boolean asks = claim.needed() > 0 || claim.extra() > 0;
    boolean changes =
        grant.permits() > 0 || claim.at(now).debt() > 0 || !claim.giveBacks().isEmpty();
    List<Long> inForce = List.of(cut(claim.effectiveLimit()), cut(claim.burst()));
    if ((changes || asks && !inForce.equals(kept)) && state.expiresAt() <= now) {
      state = ARITHMETIC.fresh(bucket.spec());
      kept = List.of();
    } else if (changes || asks) {
      kept = inForce;
    }
  }

  private static long cut(long amount) {
    return Math.min(amount, 1L << 40);
  }

  private long elapsed(long pace) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> 0;
      case 3 -> 1;
      case 4 -> random.nextInt(10_000);
      case 5 -> Math.floorMod(random.nextLong(), 3 * bucket.spec().windowMicros());
      default -> Math.floorMod(random.nextLong(), pace);
    };
  }

  /** As ELASTIC does it, or a tier, or a changed setting. */
  private void change() {
    effectiveLimit = random.nextBoolean() ? any(amounts) : Math.max(1, effectiveLimit / 10 * 11);
    burst = random.nextBoolean() ? any(amounts) : Math.max(1, burst / 2);
  }

  private Claim claim() {
    long capacityNow = random.nextInt(30) == 0 ? any(amounts) : effectiveLimit;
    long burstNow = random.nextInt(30) == 0 ? any(amounts) : burst;
    if (random.nextInt(6) == 0) {
      return Claim.peek(bucket, random.nextInt(3) == 0 ? 0 : amount(), capacityNow, burstNow);
    }
    if (random.nextInt(3) == 0) {
      return Claim.of(bucket, amount(), capacityNow, burstNow);
    }
    if (lends && random.nextInt(3) == 0) {
      return Claim.builder(bucket, capacityNow, burstNow)
          .needed(1)
          .atLeast(1)
          .far(2 + random.nextInt(31))
          .giveBacks(giveBacks())
          .build();
    }
    long needed = random.nextInt(4) == 0 ? 0 : amount();
    long atLeast = needed > 0 && random.nextBoolean() ? needed : Math.min(needed, amount());
    long extra = random.nextInt(3) == 0 ? amount() : 0;
    long debt = random.nextInt(8) == 0 ? amount() : 0;
    return Claim.builder(bucket, capacityNow, burstNow)
        .needed(needed)
        .atLeast(atLeast)
        .extra(extra)
        .far(lends && random.nextBoolean() ? amount() : 0)
        .giveBacks(giveBacks())
        .debt(debt)
        .debtUntil(debt < 1L << 50 && random.nextInt(3) == 0 ? now + random.nextInt(3) - 1 : 0)
        .refusedAt(bucket.spec().strict() && random.nextInt(3) == 0 ? refusedAt() : 0)
        .usedAtLeast(bucket.spec().isOfPeriod() && random.nextInt(3) == 0 ? amount() : 0)
        .build();
  }

  private long refusedAt() {
    long window = bucket.spec().windowMicros();
    return now - Math.floorMod(random.nextLong(), window + window / 4) + window / 4;
  }

  private long amount() {
    return random.nextBoolean() ? 1 + random.nextInt(4) : any(amounts);
  }

  private List<GiveBack> giveBacks() {
    if (stamps.isEmpty() || random.nextInt(3) > 0) {
      return List.of();
    }
    List<GiveBack> giveBacks = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int recent = Math.min(stamps.size(), 1 + random.nextInt(random.nextBoolean() ? 4 : 60));
      long stamp = stamps.get(stamps.size() - recent);
      long strange = random.nextBoolean() ? stamp + 1 : random.nextLong();
      long spent = random.nextBoolean() ? 0 : amount();
      long permits = spent > 0 && random.nextBoolean() ? 0 : amount();
      giveBacks.add(new GiveBack(random.nextInt(9) == 0 ? strange : stamp, permits, spent));
    }
    return giveBacks;
  }

  private Claim forRedis(Claim claim) {
    List<GiveBack> giveBacks =
        claim.giveBacks().stream()
            .map(back -> withStamp(back, Stamps.toRedis(bucket.spec(), back.stamp())))
            .toList();
    return Claim.builder(claim.bucket(), claim.effectiveLimit(), claim.burst())
        .needed(claim.needed())
        .atLeast(claim.atLeast())
        .extra(claim.extra())
        .far(claim.far())
        .giveBacks(giveBacks)
        .debt(claim.debt())
        .debtUntil(claim.debtUntil())
        .refusedAt(claim.refusedAt())
        .usedAtLeast(claim.usedAtLeast())
        .window(claim.windowBegin(), claim.windowEnd())
        .build();
  }

  private static GiveBack withStamp(GiveBack back, long stamp) {
    return new GiveBack(stamp, back.permits(), back.spent());
  }

  private long any(long[] values) {
    return values[random.nextInt(values.length)];
  }
}
