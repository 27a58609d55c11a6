package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.compat.cluster.node.Terms;
import io.weir.compat.redis.Distance;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.Seeds;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BurstTest {
  private static final int LIMIT = 1_000;
  private static final int REQUESTS = 10_000;
  private static final int THREADS = 32;
  private static final long DAYS_30 = 30L * 24 * 3_600 * 1_000;

  @ParameterizedTest
  @CsvSource({"SLIDING_WINDOW, 20", "FIXED_WINDOW, 4", "SLIDING_LOG, 4", "TOKEN_BUCKET, 4"})
  void threeNodesAdmitExactlyTheLimitOfABurst(Algorithm algorithm, int times) throws Exception {
    burst(RedisServer.shared(), algorithm, times);
  }

  /** One of the distances each day. */
  @ParameterizedTest
  @MethodSource("distances")
  void threeNodesFarFromTheStoreAdmitExactlyTheLimitOfABurst(int millis) throws Exception {
    int port = URI.create(RedisServer.shared()).getPort();
    try (Distance distance = new Distance(port, Duration.ofMillis(millis))) {
      burst(distance.url(), Algorithm.SLIDING_WINDOW, 4);
    }
  }

  static List<Integer> distances() {
    return Seeds.today(List.of(2, 5, 20, 50), 4);
  }

  private static void burst(String url, Algorithm algorithm, int times) throws Exception {
    Nodes nodes =
        Nodes.on(
            url,
            // Waiting is cheap here, and a busy machine must not count as an outage.
            Map.of("weir.prefix", RedisServer.prefix(), "weir.store.timeout", "5s"));
    Terms terms = new Terms("burst." + algorithm, algorithm, LIMIT, DAYS_30);
    for (int i = 0; i < (Seeds.deep() ? times : 2); i++) {
      Report report = nodes.burst(terms, "caller-" + i, REQUESTS, THREADS);
      assertEquals(List.of(), report.errors());
      assertEquals(0, report.stuck());
      assertTrue(report.count() >= REQUESTS, "decided only " + report.count());
      assertEquals(0, report.degraded().count());
      int admitted = report.admitted().count();
      assertEquals(LIMIT, admitted, "burst " + i);
    }
    nodes.close();
  }
}
