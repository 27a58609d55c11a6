package io.weir.redis;

import io.weir.Key;
import io.weir.Shape;
import io.weir.algorithm.BucketState;
import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.time.Duration;
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
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long LATEST = 1L << 51;
  private static final long YEAR = 366L * 86_400 * 1_000_000;
  private static final long[] WINDOWS = {
    10_000, 12_345, 299_999, 300_000, 999_983, 60_000_000, YEAR - 1, YEAR
  };
  private static final long[] SMALL = {1, 2, 3, 7, 10, 60, 100, 1_000};
  private static final long[] LARGE = {
    1, 7, 1_000, 999_999_937, 1_000_000_000, 11_000_000_000L, 1L << 40, 1L << 50, Long.MAX_VALUE
  };

  private final Random random;
  private BucketState state;
  private final long[] amounts;
  private final List<Long> stamps = new ArrayList<>();
  private long now = NOW;
  private long capacity;
  private long burst;
  private List<Long> kept = List.of();

  final Bucket bucket;
  final List<ScriptRig.Moment> moments = new ArrayList<>();
  final List<Grant> expected = new ArrayList<>();

  RandomClaims(Random random, Algorithm algorithm) {
    this.random = random;
    long window = any(WINDOWS);
    Shape shape = new Shape("random", algorithm, Duration.of(window, ChronoUnit.MICROS), 0);
    bucket = new Bucket(shape, Key.of(Long.toString(random.nextLong())));
    state = BucketState.of(shape, Scripts.MIN_LIFE_MICROS);
    amounts = random.nextInt(3) == 0 ? LARGE : SMALL;
    now += Math.floorMod(random.nextLong(), 3 * window);
    capacity = any(amounts);
    burst = any(amounts);
  }

  /** Asks so many times. */
  RandomClaims asked(int times) {
    long pace = Math.max(1, bucket.shape().windowMicros() >>> random.nextInt(12));
    for (int i = 0; i < times; i++) {
      now = Math.min(LATEST, now + elapsed(pace));
      if (random.nextInt(20) == 0) {
        change();
      }
      Claim claim = claim();
      Grant grant = state.step(claim, now);
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
    boolean changes = grant.permits() > 0 || claim.owed() > 0 || !claim.backs().isEmpty();
    List<Long> inForce = List.of(cut(claim.capacity()), cut(claim.burst()));
    if ((changes || asks && !inForce.equals(kept)) && state.freshAt() <= now) {
      state = BucketState.of(bucket.shape(), Scripts.MIN_LIFE_MICROS);
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
      case 5 -> Math.floorMod(random.nextLong(), 3 * bucket.shape().windowMicros());
      default -> Math.floorMod(random.nextLong(), pace);
    };
  }

  /** As ELASTIC does it, or a tier, or whoever changes a setting. */
  private void change() {
    capacity = random.nextBoolean() ? any(amounts) : Math.max(1, capacity / 10 * 11);
    burst = random.nextBoolean() ? any(amounts) : Math.max(1, burst / 2);
  }

  private Claim claim() {
    long capacityNow = random.nextInt(30) == 0 ? any(amounts) : capacity;
    long burstNow = random.nextInt(30) == 0 ? any(amounts) : burst;
    if (random.nextInt(6) == 0) {
      return Claim.look(bucket, random.nextInt(3) == 0 ? 0 : amount(), capacityNow, burstNow);
    }
    if (random.nextInt(3) == 0) {
      return Claim.of(bucket, amount(), capacityNow, burstNow);
    }
    long needed = random.nextInt(4) == 0 ? 0 : amount();
    long atLeast = needed > 0 && random.nextBoolean() ? needed : Math.min(needed, amount());
    long extra = random.nextInt(3) == 0 ? amount() : 0;
    long owed = random.nextInt(8) == 0 ? amount() : 0;
    return new Claim(bucket, needed, atLeast, extra, backs(), owed, capacityNow, burstNow);
  }

  private long amount() {
    return random.nextBoolean() ? 1 + random.nextInt(4) : any(amounts);
  }

  private List<GiveBack> backs() {
    if (stamps.isEmpty() || random.nextInt(3) > 0) {
      return List.of();
    }
    List<GiveBack> backs = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int recent = Math.min(stamps.size(), 1 + random.nextInt(random.nextBoolean() ? 4 : 60));
      long stamp = stamps.get(stamps.size() - recent);
      long strange = random.nextBoolean() ? stamp + 1 : random.nextLong();
      backs.add(new GiveBack(random.nextInt(9) == 0 ? strange : stamp, amount()));
    }
    return backs;
  }

  private Claim forRedis(Claim claim) {
    List<GiveBack> backs =
        claim.backs().stream()
            .map(back -> new GiveBack(Stamps.toRedis(bucket.shape(), back.stamp()), back.permits()))
            .toList();
    return new Claim(
        claim.bucket(),
        claim.needed(),
        claim.atLeast(),
        claim.extra(),
        backs,
        claim.owed(),
        claim.capacity(),
        claim.burst());
  }

  private long any(long[] values) {
    return values[random.nextInt(values.length)];
  }
}
