package io.weir.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.Algorithm;
import io.weir.store.Grant;
import java.util.List;
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
}
