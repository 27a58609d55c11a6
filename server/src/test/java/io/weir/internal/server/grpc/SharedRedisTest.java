package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OVER_LIMIT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.UInt64Value;
import io.weir.RateLimiter;
import io.weir.compat.redis.RedisServer;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse.Code;
import io.weir.seeds.OneDayIn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that two servers on a real Redis share their counts. */
@OneDayIn(2)
class SharedRedisTest {
  private static RedisServer redis;

  @TempDir Path folder;
  private EnvoyServer first;
  private EnvoyServer second;

  @BeforeAll
  static void startRedis() {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stopRedis() {
    if (redis != null) {
      redis.close();
    }
  }

  @BeforeEach
  void start() throws Exception {
    Files.writeString(
        folder.resolve("shop.yaml"),
        """
        domain: shop
        descriptors:
          - key: user
            rate_limit: {unit: year, requests_per_unit: 50}
          - key: tokens
            rate_limit: {unit: year, requests_per_unit: 1000}
        """);
    String prefix = RedisServer.prefix();
    first = EnvoyServer.open(limiter(prefix), folder);
    second = EnvoyServer.open(limiter(prefix), folder);
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  private static RateLimiter limiter(String prefix) {
    return RateLimiter.builder()
        .store(
            redis.url(),
            name ->
                switch (name) {
                  case "weir.prefix" -> prefix;
                  case "weir.secret" -> "of the tests";
                  case "weir.store.timeout" -> "10s";
                  default -> "";
                })
        .storeTimeout(Duration.ofSeconds(20))
        .nodes(2)
        .build();
  }

  @Test
  void aBurstThroughBothGetsExactlyTheLimit() throws Exception {
    for (int round = 0; round < 3; round++) {
      assertEquals(50, admitted(EnvoyServer.request("user", "round" + round)));
    }
  }

  private int admitted(RateLimitRequest request) throws Exception {
    int threads = 8;
    CyclicBarrier together = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        EnvoyServer server = i % 2 == 0 ? first : second;
        all.add(
            pool.submit(
                () -> {
                  together.await();
                  int ok = 0;
                  for (int j = 0; j < 20; j++) {
                    Code code = server.stub().shouldRateLimit(request).getOverallCode();
                    ok += code == OK ? 1 : 0;
                  }
                  return ok;
                }));
      }
      int ok = 0;
      for (Future<Integer> each : all) {
        ok += each.get(60, TimeUnit.SECONDS);
      }
      return ok;
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void usageThatOneReportsRefusesAtTheOther() throws Exception {
    assertEquals(OK, ask(first, 600));
    assertEquals(OVER_LIMIT, ask(second, 600));
    for (EnvoyServer each : List.of(first, second)) {
      await(each, 0, OVER_LIMIT);
      assertEquals(OVER_LIMIT, ask(each, 1));
    }
  }

  @Test
  void aLookIsOkAtExactlyTheLimitOnBoth() throws Exception {
    assertEquals(OK, ask(first, 400));
    assertEquals(OK, ask(second, 600));
    assertEquals(OVER_LIMIT, ask(first, 1));
    assertEquals(OVER_LIMIT, ask(second, 1));
    assertEquals(OK, ask(first, 0));
    assertEquals(OK, ask(second, 0));
  }

  // A debt is charged in the background.
  private static void await(EnvoyServer server, long hits, Code expected) throws Exception {
    for (int i = 0; i < 1_000 && ask(server, hits) != expected; i++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertEquals(expected, ask(server, hits));
  }

  private static Code ask(EnvoyServer server, long hits) {
    RateLimitRequest.Builder request = EnvoyServer.request("tokens", "al").toBuilder();
    request.getDescriptorsBuilder(0).setHitsAddend(UInt64Value.of(hits));
    return server.stub().shouldRateLimit(request.build()).getOverallCode();
  }
}
