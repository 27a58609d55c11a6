package io.weir.internal.postgres;

import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.RedisServer;
import io.weir.compat.redis.fault.LinkedRegions;
import io.weir.compat.redis.fault.LinkedRegions.Place;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A region on a Redis beside one on a PostgreSQL, of two nodes each, over links of 50 to 100 ms
 * that are cut and joined again; for a minute in a long build.
 */
@OneDayIn(2)
class RegionsOnRedisAndPostgresTest {
  private static final List<Algorithm> ALGORITHMS =
      List.of(Algorithm.SLIDING_WINDOW, Algorithm.FIXED_WINDOW, Algorithm.TOKEN_BUCKET);

  private final RedisServer redis = RedisServer.start();
  private final PostgresServer postgres = PostgresServer.shared();

  @AfterEach
  void close() {
    redis.close();
  }

  private Place eu() {
    return Place.on("eu", redis);
  }

  private Place us() {
    return new Place("us", postgres.newDatabase(), postgres.port());
  }

  private static List<Algorithm> algorithms() {
    return Seeds.today(ALGORITHMS, ALGORITHMS.size());
  }

  @Test
  void reportToEachOther() {
    Duration cut = Seeds.deep() ? Duration.ofMinutes(1) : Duration.ZERO;
    try (LinkedRegions regions = LinkedRegions.reporting(cut, eu(), us())) {
      algorithms().forEach(regions::admitTheLimitAcrossACut);
      algorithms().forEach(regions::admitBeyondTheLimitOnlyWhatACutHid);
    }
  }

  @Test
  void haveShares() {
    try (LinkedRegions regions = LinkedRegions.sharing("eu@40,us@60", eu(), us())) {
      algorithms().forEach(each -> regions.admitTheirPartsWhateverIsCutOff(each, 24, 36));
    }
  }
}
