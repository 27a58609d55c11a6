package io.weir.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.Shape;
import io.weir.algorithm.BucketState;
import io.weir.annotation.Algorithm;
import io.weir.store.Bucket;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
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
            List<Grant> grants = redis.settle(claims.moments, 1);
            for (int i = 0; i < CLAIMS; i++) {
              Grant grant = Stamps.fromRedis(claims.bucket.shape(), grants.get(i));
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
    Shape shape = new Shape("stamps", Algorithm.TOKEN_BUCKET, Duration.ofSeconds(60), 0);
    Bucket bucket = new Bucket(shape, Key.everybody());
    BucketState state = BucketState.of(shape, Scripts.MIN_LIFE_MICROS);
    try (ScriptRig redis = ScriptRig.withoutLifetimes()) {
      List<Long> stamps = new ArrayList<>();
      for (int second = 0; second < 100; second++) {
        now += 1_000_000;
        // As many as drain, on top of so many that no stamp drains early.
        Claim claim = Claim.of(bucket, second == 0 ? 800_000_000 : 16_000_000, limit, limit);
        stamps.add(state.step(claim, now).stamp());
        assertEquals(stamps.get(second), redis.settle(now, claim).stamp());
      }
      for (long stamp : stamps) {
        List<GiveBack> backs = List.of(new GiveBack(stamp, 1_000));
        Claim claim = new Claim(bucket, 0, 0, 0, backs, 0, limit, limit);
        assertEquals(state.step(claim, now), redis.settle(now, claim));
      }
    }
  }
}
