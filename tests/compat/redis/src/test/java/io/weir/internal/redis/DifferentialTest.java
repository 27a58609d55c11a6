package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts grant what the algorithms in Java grant, to the last permit and microsecond. */
class DifferentialTest {
  private static final int CLAIMS = 80;
  private static final int SEEDS = Seeds.deep() ? 300 : 75;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void grantsInRedisAreThoseOfJava(Algorithm algorithm) {
    AtomicLong farLeases = new AtomicLong();
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      Seeds.each(
          SEEDS,
          random -> {
            RandomClaims claims = new RandomClaims(random, algorithm).asked(CLAIMS);
            assertGrantsAreThoseOfJava(claims, redis.execute(claims.moments, 1));
            farLeases.addAndGet(claims.expected.stream().filter(Grant::isFar).count());
          });
    }
    boolean lends = algorithm == Algorithm.FIXED_WINDOW || algorithm == Algorithm.SLIDING_WINDOW;
    assertEquals(lends, farLeases.get() > 0, farLeases + " far leases");
    System.out.println(algorithm + ": " + farLeases + " far leases");
  }

  /** A script reads and writes otherwise when it executes several claims. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void grantsAreTheSameInCompany(Algorithm algorithm) {
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      Seeds.each(
          SEEDS / 2,
          random -> {
            RandomClaims claims = new RandomClaims(random, algorithm).asked(CLAIMS);
            BucketSpec other = RandomClaims.spec(algorithm, random.nextInt(3) * 7_777 + 50_000);
            List<ScriptRig.Moment> moments = new ArrayList<>();
            for (ScriptRig.Moment moment : claims.moments) {
              BucketId before = new BucketId(other, Key.of("company " + random.nextLong(1L << 40)));
              List<Claim> both = List.of(Claim.of(before, 1, 9, 9), moment.claims().get(0));
              moments.add(new ScriptRig.Moment(moment.micros(), both));
            }
            List<Grant> grants = redis.execute(moments, 2);
            List<Grant> ours = new ArrayList<>();
            for (int i = 1; i < grants.size(); i += 2) {
              ours.add(grants.get(i));
            }
            assertGrantsAreThoseOfJava(claims, ours);
          });
    }
  }

  /** Also where nodes name windows that aren't running, or that end an hour earlier or later. */
  @Test
  void grantsByTheCalendarAreThoseOfJava() {
    AtomicLong otherWindows = new AtomicLong();
    AtomicLong opened = new AtomicLong();
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      Seeds.each(
          SEEDS,
          random -> {
            RandomClaims claims = new RandomClaims(random).asked(CLAIMS);
            assertGrantsAreThoseOfJava(claims, redis.execute(claims.moments, 1));
            otherWindows.addAndGet(claims.expected.stream().filter(Grant::isOfOtherWindow).count());
            opened.addAndGet(
                claims.expected.stream()
                    .filter(each -> each.permits() > 0)
                    .map(Grant::stamp)
                    .distinct()
                    .count());
          });
    }
    String found = otherWindows + " other windows, " + opened + " opened";
    assertTrue(otherWindows.get() > 100 && opened.get() > 300, found);
    System.out.println("Calendar: " + found);
  }

  /** A claim that names another window changes nothing for those beside it. */
  @Test
  void grantsByTheCalendarAreTheSameInCompany() {
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      Seeds.each(
          SEEDS / 2,
          random -> {
            RandomClaims claims = new RandomClaims(random).asked(CLAIMS);
            List<ScriptRig.Moment> moments = new ArrayList<>();
            for (ScriptRig.Moment moment : claims.moments) {
              Claim ours = moment.claims().get(0);
              Key key = Key.of("company " + random.nextLong(1L << 40));
              BucketId before = new BucketId(claims.bucket.spec(), key);
              Claim company =
                  Claim.of(before, 1, 9, 9).inWindow(ours.windowBegin(), ours.windowEnd());
              moments.add(new ScriptRig.Moment(moment.micros(), List.of(company, ours)));
            }
            List<Grant> grants = redis.execute(moments, 2);
            List<Grant> ours = new ArrayList<>();
            for (int i = 1; i < grants.size(); i += 2) {
              ours.add(grants.get(i));
            }
            assertGrantsAreThoseOfJava(claims, ours);
          });
    }
  }

  /** Of new buckets that are asked alike the script works out the first and copies the others. */
  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void grantsAreTheSameInACrowdOfNewBuckets(Algorithm algorithm) {
    BucketSpec spec = RandomClaims.spec(algorithm, 60_000_000);
    BucketArithmetic arithmetic = BucketArithmetic.leasing(Scripts.MIN_LIFE_MICROS);
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      Seeds.each(
          100,
          random -> {
            long now = 1_700_000_040_000_000L + random.nextInt(60_000_000);
            Map<BucketId, LiveBucket> crowd = new LinkedHashMap<>();
            for (int i = 0; i < 12; i++) {
              BucketId bucket = new BucketId(spec, Key.of(Long.toString(random.nextLong())));
              crowd.put(bucket, arithmetic.fresh(spec));
            }
            List<ScriptRig.Moment> moments = new ArrayList<>();
            List<Grant> expected = new ArrayList<>();
            for (int turn = 0; turn < 3; turn++) {
              List<Claim> claims = new ArrayList<>();
              for (BucketId bucket : crowd.keySet()) {
                claims.add(oneOfAFew(random, bucket, now));
              }
              for (Claim claim : claims) {
                expected.add(crowd.get(claim.bucket()).execute(claim, now));
              }
              moments.add(new ScriptRig.Moment(now, claims));
              now += random.nextInt(2_000_000);
            }
            List<Grant> grants = redis.execute(moments, crowd.size());
            for (int i = 0; i < grants.size(); i++) {
              String which =
                  moments.get(i / crowd.size()).claims().get(i % crowd.size()).toString();
              assertEquals(expected.get(i), Stamps.fromRedis(spec, grants.get(i)), which);
            }
          });
    }
  }

  private static Claim oneOfAFew(Random random, BucketId bucket, long now) {
    Claim.Builder claim = Claim.builder(bucket, 100, 100);
    return switch (random.nextInt(10)) {
      case 0 -> claim.needed(3).atLeast(3).build();
      case 1 -> claim.needed(101).atLeast(101).build();
      case 2 -> claim.debt(1).build();
      case 3 -> claim.atLeast(1).build();
      case 4 -> claim.needed(1).atLeast(1).far(2).giveBack(new GiveBack(2, 1)).build();
      case 5 -> claim.debt(1).debtUntil(now + random.nextInt(3) - 1).build();
      default -> claim.needed(1).atLeast(1).far(2).build();
    };
  }

  private static void assertGrantsAreThoseOfJava(RandomClaims claims, List<Grant> grants) {
    for (int i = 0; i < CLAIMS; i++) {
      Grant grant = Stamps.fromRedis(claims.bucket.spec(), grants.get(i));
      int at = i;
      assertEquals(claims.expected.get(i), grant, () -> at + ": " + claims.moments.get(at));
    }
  }

  /**
   * Attempts fail, succeed, are given back and are reported late or twice, at one moment or not.
   */
  @Test
  void whatASuccessClearsInRedisIsWhatItClearsInJava() {
    BucketSpec spec =
        BucketSpec.builder("cleared").window(Duration.ofSeconds(10)).clears(true).build();
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      Seeds.each(
          SEEDS,
          random -> {
            BucketId bucket = new BucketId(spec, Key.of(Long.toString(random.nextLong())));
            LiveBucket state = BucketArithmetic.leasing(Scripts.MIN_LIFE_MICROS).fresh(spec);
            List<Long> stamps = new ArrayList<>(List.of(7L));
            List<ScriptRig.Moment> moments = new ArrayList<>();
            List<Grant> expected = new ArrayList<>();
            long now = 1_700_000_040_000_000L;
            for (int i = 0; i < CLAIMS; i++) {
              now += random.nextInt(3) == 0 ? 0 : random.nextInt(900_000);
              long limit = 8L + random.nextInt(3);
              long needed = random.nextInt(3);
              Claim.Builder claim = Claim.builder(bucket, limit, limit).needed(needed);
              claim
                  .atLeast(random.nextBoolean() ? needed : 0)
                  .extra(random.nextInt(9) == 0 ? 9 : 0);
              for (int n = random.nextInt(3); n > 0; n--) {
                long permits = random.nextInt(3);
                long failed = random.nextInt(2) + (permits == 0 ? 1L : 0L);
                claim.giveBack(new GiveBack(any(random, stamps), permits, failed));
              }
              claim.debt(random.nextInt(15) == 0 ? 2 : 0);
              claim.debtUntil(random.nextBoolean() ? 0 : now + random.nextInt(3) - 1);
              claim.clearBefore(random.nextInt(4) == 0 ? any(random, stamps) : 0);
              moments.add(new ScriptRig.Moment(now, claim.build()));
              expected.add(state.execute(claim.build(), now));
              stamps.add(expected.get(i).stamp());
            }
            List<Grant> grants = redis.execute(moments, 1);
            for (int i = 0; i < CLAIMS; i++) {
              int at = i;
              assertEquals(expected.get(i), grants.get(i), () -> at + ": " + moments.get(at));
            }
          });
    }
  }

  private static long any(Random random, List<Long> stamps) {
    return stamps.get(stamps.size() - 1 - random.nextInt(Math.min(12, stamps.size())));
  }

  @Test
  void asManyStampsAreRememberedAsInJava() {
    long now = 1_700_000_040L * 1_000_000;
    long limit = 1_000_000_000;
    BucketSpec spec =
        BucketSpec.builder("stamps")
            .algorithm(Algorithm.TOKEN_BUCKET)
            .window(Duration.ofSeconds(60))
            .build();
    BucketId bucket = new BucketId(spec, Key.everybody());
    LiveBucket state = BucketArithmetic.leasing(Scripts.MIN_LIFE_MICROS).fresh(spec);
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      List<Long> stamps = new ArrayList<>();
      for (int second = 0; second < 100; second++) {
        now += 1_000_000;
        // As many as drain, on top of so many that no stamp drains early.
        Claim claim = Claim.of(bucket, second == 0 ? 800_000_000 : 16_000_000, limit, limit);
        stamps.add(state.execute(claim, now).stamp());
        assertEquals(stamps.get(second), redis.execute(now, claim).stamp());
      }
      for (long stamp : stamps) {
        List<GiveBack> giveBacks = List.of(new GiveBack(stamp, 1_000));
        Claim claim = Claim.builder(bucket, limit, limit).giveBacks(giveBacks).build();
        assertEquals(state.execute(claim, now), redis.execute(now, claim));
      }
    }
  }
}
