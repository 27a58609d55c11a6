package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.compat.cluster.node.Terms;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.seeds.OneDayIn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OneDayIn(2)
class SecrecyTest {
  private static final int KEYS = 5;
  private static final long YEAR_MILLIS = 366L * 24 * 3_600_000;
  private static final String CALLER = "alice@example.org";

  private final RedisServer redis = RedisServer.start();

  @AfterEach
  void stop() {
    redis.close();
  }

  @Test
  void whatIsInRedisAfterARunEndsAndNamesNobody() throws Exception {
    Nodes nodes = Nodes.on(redis.url(), Map.of("weir.store.timeout", "2s"));
    List<String> policies = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      Terms terms = new Terms("secret." + algorithm, algorithm, 100, YEAR_MILLIS);
      policies.add(terms.name());
      nodes.start(terms, CALLER, KEYS, 2, 500);
      Await.until("all callers are in Redis", () -> buckets(terms) >= KEYS);
      Pause.millis(300);
      Report report = nodes.stop();
      assertEquals(List.of(), report.errors());
      assertEquals(0, report.degraded().count());
    }
    List<String> keys = Leaks.keys(redis);
    assertTrue(keys.size() >= KEYS * policies.size(), () -> "only " + keys);
    List<String> callers =
        Stream.concat(
                Stream.of(CALLER), IntStream.range(0, KEYS).mapToObj(each -> CALLER + "-" + each))
            .toList();
    assertEquals(List.of(), Leaks.in(redis, callers, policies));
    nodes.close();
  }

  private long buckets(Terms terms) {
    return Leaks.keys(redis).stream().filter(key -> key.endsWith(":" + terms.name())).count();
  }

  @Test
  void aKeyWithoutAnEndAndAPlainHashWouldBeFound() throws Exception {
    String sha256OfBob = "81b637d8fcd2c6da6359e6963113a1170de795e4b725b84d1e0b4cfd9ec58ce9";
    redis.ask("SET", "weir:" + sha256OfBob.substring(0, 40), "1", "PX", "60000");
    redis.ask("SET", "weir:other", "1");
    redis.ask("SET", "weir:third", "of bob", "PX", "60000");
    List<String> found = Leaks.in(redis, List.of("bob"), List.of("any"));
    assertEquals(
        List.of(
            "no end: weir:other",
            "reveals bob: weir:" + sha256OfBob.substring(0, 40),
            "reveals bob: weir:third"),
        found.stream().sorted().toList());
  }
}
