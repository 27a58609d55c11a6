package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis keeps a bucket as long as it counts, and not much longer. */
class LifetimeClassTest {
  private static final long NOW = 1_700_000_040L * 1_000_000;
  private static final long WINDOW = 3_600_000_000L;
  private static final long CAPACITY = 100;

  private final ScriptRig redis = ScriptRig.withLifetimes();
  private final long start = redis.micros();

  @AfterEach
  void close() {
    redis.close();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aBucketLivesUntilItsCountHasAgedOutAndAtMostTwoWindows(Algorithm algorithm) {
    for (long needed : new long[] {1, 7, CAPACITY}) {
      BucketId bucket = bucket(algorithm, needed + " permits");
      long now = NOW + needed * 12_345_678;
      take(now, bucket, needed);
      assertLivesAsLongAsItCounts(bucket, now);
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aBucketThatIsChargedAgainLivesOn(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm, "again");
    for (long minutes = 0; minutes < 150; minutes += 7) {
      long now = NOW + minutes * 60_000_000;
      take(now, bucket, 2);
      assertLivesAsLongAsItCounts(bucket, now);
      redis.age(bucket, 60_000_000);
      take(now + 60_000_000, bucket, 1);
      assertLivesAsLongAsItCounts(bucket, now + 60_000_000);
      redis.age(bucket, 360_000_000);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW"})
  void aBucketLivesUntilItsFarLeasesNoLongerCount(Algorithm algorithm) {
    for (long minutes = 0; minutes < 150; minutes += 7) {
      BucketId bucket = bucket(algorithm, "far " + minutes);
      long now = NOW + minutes * 60_000_000;
      take(now, bucket, 1);
      assertTrue(redis.execute(now, far(bucket)).isFar());
      assertLivesAsLongAsItCounts(bucket, now);
      redis.age(bucket, 60_000_000);
      redis.execute(now + 60_000_000, far(bucket));
      assertLivesAsLongAsItCounts(bucket, now + 60_000_000);
    }
  }

  private static Claim far(BucketId bucket) {
    return Claim.builder(bucket, CAPACITY, CAPACITY).needed(1).far(3).build();
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aBucketThatBeginsAnewBeginsANewLife(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm, "anew");
    take(NOW, bucket, 2);
    // Soon after the next full hour, when Redis has just not forgotten it yet.
    long now = NOW + WINDOW - 800_000_000;
    take(now, bucket, 2);
    assertLivesAsLongAsItCounts(bucket, now);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aBucketWhosePermitsComeBackLivesOnAsLongAsItCounts(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm, "back");
    Grant early = take(NOW, bucket, 5);
    redis.age(bucket, 120_000_000);
    Grant late = take(NOW + 120_000_000, bucket, 5);
    redis.age(bucket, 10_000_000);
    giveBack(NOW + 130_000_000, bucket, late.stamp(), 5);
    assertLivesAsLongAsItCounts(bucket, NOW + 130_000_000);
    redis.age(bucket, 10_000_000);
    giveBack(NOW + 140_000_000, bucket, early.stamp(), 2);
    assertLivesAsLongAsItCounts(bucket, NOW + 140_000_000);
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whoTakesNothingWritesNothing(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm, "look");
    redis.execute(NOW, Claim.peek(bucket, 1, CAPACITY, CAPACITY));
    take(NOW, bucket, CAPACITY + 1);
    giveBack(NOW, bucket, 17, 1);
    assertFalse(redis.exists(bucket));
    take(NOW, bucket, CAPACITY);
    byte[] written = redis.value(bucket);
    redis.execute(NOW + 1_000, Claim.peek(bucket, 1, CAPACITY, CAPACITY));
    redis.execute(NOW + 1_000, Claim.peek(bucket, 1, 7 * CAPACITY, 7 * CAPACITY));
    take(NOW + 1_000, bucket, CAPACITY + 1);
    assertArrayEquals(written, redis.value(bucket));
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG"})
  void aBucketThatGotEverythingBackIsGone(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm, "all back");
    Grant grant = take(NOW, bucket, 5);
    assertTrue(redis.exists(bucket));
    giveBack(NOW + 1, bucket, grant.stamp(), 5);
    assertFalse(redis.exists(bucket));
  }

  @Test
  void aLevelThatGotEverythingBackIsGoneWhenItsSlotIsOver() {
    BucketId bucket = bucket(Algorithm.TOKEN_BUCKET, "level back");
    Grant grant = take(NOW, bucket, 5);
    giveBack(NOW + 1, bucket, grant.stamp(), 5);
    assertTrue(redis.lifetime(bucket) <= WINDOW / 60 + 10_000);
    take(NOW + 2, bucket, 1);
    assertLivesAsLongAsItCounts(bucket, NOW + 2);
  }

  @Test
  void aDeepBucketLivesUntilItHasDrained() {
    BucketSpec spec =
        BucketSpec.builder("deep")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.ofMillis(WINDOW / 1_000))
            .burst(1_000)
            .build();
    BucketId bucket = new BucketId(spec, Key.everybody());
    redis.execute(NOW, Claim.of(bucket, 1_000, CAPACITY, 1_000));
    long lifetime = redis.lifetime(bucket);
    assertTrue(lifetime + (redis.micros() - start) >= 10 * WINDOW, () -> "lives " + lifetime);
  }

  private void assertLivesAsLongAsItCounts(BucketId bucket, long now) {
    long lifetime = redis.lifetime(bucket);
    assertTrue(lifetime > 0 && lifetime <= 2 * WINDOW, () -> "lives for " + lifetime);
    // A lifetime is counted by the wall, where a few milliseconds have passed.
    long end = now + lifetime + (redis.micros() - start);
    assertEquals(CAPACITY, look(end, bucket).left(), "still counts when it is forgotten");
  }

  private Grant look(long now, BucketId bucket) {
    return redis.execute(now, Claim.peek(bucket, 1, CAPACITY, CAPACITY));
  }

  private Grant take(long now, BucketId bucket, long permits) {
    return redis.execute(now, Claim.of(bucket, permits, CAPACITY, CAPACITY));
  }

  private void giveBack(long now, BucketId bucket, long stamp, long permits) {
    List<GiveBack> giveBacks = List.of(new GiveBack(stamp, permits));
    redis.execute(now, Claim.builder(bucket, CAPACITY, CAPACITY).giveBacks(giveBacks).build());
  }

  private static BucketId bucket(Algorithm algorithm, String key) {
    BucketSpec spec =
        BucketSpec.builder("lives")
            .algorithm(algorithm)
            .window(Duration.ofMillis(WINDOW / 1_000))
            .build();
    return new BucketId(spec, Key.of(key));
  }
}
