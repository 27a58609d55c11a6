package io.weir.internal.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts grant what the algorithms in Java grant, to the last permit and microsecond. */
class DifferentialTest {
  private static final int CLAIMS = 80;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void grantsInRedisAreThoseOfJava(Algorithm algorithm) {
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      Seeds.each(
          300,
          random -> {
            RandomClaims claims = new RandomClaims(random, algorithm).asked(CLAIMS);
            List<Grant> grants = redis.execute(claims.moments, 1);
            for (int i = 0; i < CLAIMS; i++) {
              Grant grant = Stamps.fromRedis(claims.bucket.spec(), grants.get(i));
              int at = i;
              assertEquals(claims.expected.get(i), grant, () -> at + ": " + claims.moments.get(at));
            }
          });
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
