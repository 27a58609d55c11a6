package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bucket that is kept as bytes answers as one that is kept in memory. */
class BucketArithmeticTest {
  private static final List<BucketArithmetic> BOTH =
      List.of(BucketArithmetic.exact(), BucketArithmetic.leasing(5_000));

  /** Claims of an algorithm, or by the calendar. */
  enum Sequence {
    FIXED_WINDOW,
    SLIDING_WINDOW,
    SLIDING_LOG,
    TOKEN_BUCKET,
    LEAKY_BUCKET,
    CALENDAR;

    ClaimSequence of(Random random) {
      return this == CALENDAR
          ? new ClaimSequence(random)
          : new ClaimSequence(random, Algorithm.valueOf(name()));
    }
  }

  private static final int SEEDS = 400;
  private static final int CLAIMS = 100;
  private static final long CENTURY = Duration.ofDays(36_500).toSeconds() * 1_000_000;
  private static final long NOW = 1_700_000_040_000_000L;

  @ParameterizedTest
  @EnumSource(Sequence.class)
  void bytesAnswerAsTheLiveBucketAfterEachClaim(Sequence sequence) {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      BucketArithmetic arithmetic = BOTH.get(seed % 2);
      ClaimSequence claims = sequence.of(random);
      LiveBucket live = arithmetic.fresh(claims.bucket.spec());
      byte @Nullable [] bytes = null;
      for (int i = 0; i < CLAIMS; i++) {
        String when = "seed " + seed + ", claim " + i;
        Claim claim = claims.next();
        BucketUpdate update = arithmetic.execute(bytes, claim, claims.now);
        assertEquals(live.execute(claim, claims.now), update.grant(), when);
        assertEquals(
            update.bytes() == null, live.expiresAt() <= claims.now, () -> when + " is kept");
        if (update.isChanged()) {
          bytes = update.bytes();
        } else {
          assertSame(bytes, update.bytes(), when);
        }
        if (bytes != null && live.expiresAt() - claims.now < CENTURY) { // later ones are all alike
          assertEquals(live.expiresAt(), update.expiresAt(), when);
        }
        claims.granted(update.grant());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Sequence.class)
  void whatIsWrittenAndReadGoesOnAsBefore(Sequence sequence) {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      BucketArithmetic arithmetic = BOTH.get(seed % 2);
      ClaimSequence claims = sequence.of(random);
      LiveBucket live = arithmetic.fresh(claims.bucket.spec());
      for (int i = 0; i < CLAIMS; i++) {
        LiveBucket read = arithmetic.read(claims.bucket.spec(), live.toBytes());
        assertArrayEquals(live.toBytes(), read.toBytes());
        assertEquals(live.expiresAt(), read.expiresAt(), "seed " + seed);
        assertEquals(live.lastClaimAt(), read.lastClaimAt());
        Claim claim = claims.next();
        long clock = random.nextInt(10) == 0 ? claims.now - 1_000_000 : claims.now; // runs back
        Grant grant = live.execute(claim, clock);
        assertEquals(grant, read.execute(claim, clock), "seed " + seed + ", claim " + i);
        assertEquals(live.steadyUntil(), read.steadyUntil());
        claims.granted(grant);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Sequence.class)
  void whatIsDroppedWhenItMayGoAnswersAsIfItHadBeenKept(Sequence sequence) {
    int drops = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      BucketArithmetic arithmetic = BOTH.get(seed % 2);
      ClaimSequence claims = sequence.of(new Random(seed));
      LiveBucket live = arithmetic.fresh(claims.bucket.spec());
      byte @Nullable [] bytes = null;
      long expiresAt = Long.MAX_VALUE;
      for (int i = 0; i < CLAIMS; i++) {
        Claim claim = claims.next();
        if (bytes != null && expiresAt <= claims.now) {
          bytes = null;
          drops++;
        }
        BucketUpdate update = arithmetic.execute(bytes, claim, claims.now);
        Grant kept = live.execute(claim, claims.now);
        assertEquals(kept, update.grant(), "seed " + seed + ", claim " + i);
        bytes = update.bytes();
        expiresAt = update.expiresAt();
        claims.granted(kept);
      }
    }
    assertTrue(drops > SEEDS, "dropped " + drops);
  }

  /**
   * Not a moment too late either: a microsecond before, a caller would still see the difference.
   */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void nothingIsKeptLongerThanItCounts(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm);
    BucketArithmetic arithmetic = BucketArithmetic.exact();
    BucketUpdate update = arithmetic.execute(null, Claim.of(bucket, 3, 10, 10), NOW + 17);
    Claim peek = Claim.peek(bucket, 1, 10, 10);
    assertTrue(
        arithmetic.execute(update.bytes(), peek, update.expiresAt() - 1).grant().left() < 10);
    assertEquals(10, arithmetic.execute(update.bytes(), peek, update.expiresAt()).grant().left());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void whatTakesNothingNeedNotBeWritten(Algorithm algorithm) {
    BucketId bucket = bucket(algorithm);
    BucketArithmetic arithmetic = BucketArithmetic.exact();
    BucketUpdate none = arithmetic.execute(null, Claim.peek(bucket, 1, 10, 10), NOW);
    assertFalse(none.isChanged());
    assertNull(none.bytes());
    BucketUpdate full = arithmetic.execute(null, Claim.of(bucket, 10, 10, 10), NOW);
    assertTrue(full.isChanged());
    for (Claim claim : List.of(Claim.of(bucket, 1, 10, 10), Claim.peek(bucket, 1, 5, 5))) {
      BucketUpdate refused = arithmetic.execute(full.bytes(), claim, NOW + 1);
      assertFalse(refused.isChanged());
      assertSame(full.bytes(), refused.bytes());
    }
    BucketUpdate over =
        arithmetic.execute(full.bytes(), Claim.peek(bucket, 1, 10, 10), NOW + 1_000_000_000);
    assertTrue(over.isChanged(), "to be removed");
    assertNull(over.bytes());
  }

  @Test
  void theLifeOfALeaseIsAtLeastAMicrosecondAndAtMostAWindow() {
    assertThrows(IllegalArgumentException.class, () -> BucketArithmetic.leasing(0));
    BucketArithmetic long1 = BucketArithmetic.leasing(60_000_001);
    BucketSpec minute = bucket(Algorithm.FIXED_WINDOW).spec();
    assertThrows(IllegalArgumentException.class, () -> long1.fresh(minute));
    assertNotNull(BucketArithmetic.leasing(60_000_000).fresh(minute));
  }

  static BucketId bucket(Algorithm algorithm) {
    return new BucketId(
        BucketSpec.builder("bucket").algorithm(algorithm).window(Duration.ofMinutes(1)).build(),
        Key.everybody());
  }
}
