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
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts grant what the algorithms in Java grant, to the last permit and microsecond. */
class DifferentialTest {
  private static final int CLAIMS = 80;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void grantsInRedisAreThoseOfJava(Algorithm algorithm) {
    AtomicLong farLeases = new AtomicLong();
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      Seeds.each(
          300,
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
          150,
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
          300,
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
          150,
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

  private static void assertGrantsAreThoseOfJava(RandomClaims claims, List<Grant> grants) {
    for (int i = 0; i < CLAIMS; i++) {
      Grant grant = Stamps.fromRedis(claims.bucket.spec(), grants.get(i));
      int at = i;
      assertEquals(claims.expected.get(i), grant, () -> at + ": " + claims.moments.get(at));
    }
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
