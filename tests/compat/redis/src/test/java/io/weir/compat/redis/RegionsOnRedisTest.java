package io.weir.compat.redis;

import io.weir.annotation.Algorithm;
import io.weir.compat.redis.fault.LinkedRegions;
import io.weir.compat.redis.fault.LinkedRegions.Place;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Three regions of two nodes, each with a Redis of its own, that report to each other over links of
 * 50 to 100 ms, which are cut and joined again; for a minute in a long build.
 */
class RegionsOnRedisTest {
  private static final List<Algorithm> ALGORITHMS =
      List.of(
          Algorithm.SLIDING_WINDOW,
          Algorithm.FIXED_WINDOW,
          Algorithm.TOKEN_BUCKET,
          Algorithm.SLIDING_LOG);

  @Test
  void togetherTheyAdmitTheLimitBeforeAndAfterACut() {
    try (RedisServer ap = RedisServer.start();
        RedisServer eu = RedisServer.start();
        RedisServer us = RedisServer.start();
        LinkedRegions regions =
            LinkedRegions.reporting(
                Seeds.deep() ? Duration.ofMinutes(1) : Duration.ZERO,
                Place.on("ap", ap),
                Place.on("eu", eu),
                Place.on("us", us))) {
      for (Algorithm algorithm : Seeds.today(ALGORITHMS, ALGORITHMS.size())) {
        regions.admitTheLimitAcrossACut(algorithm);
        regions.admitBeyondTheLimitOnlyWhatACutHid(algorithm);
      }
    }
  }
}
