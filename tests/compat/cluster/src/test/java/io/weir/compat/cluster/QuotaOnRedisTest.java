package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Weir;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.rules.quota.Quota;
import io.weir.seeds.OneDayIn;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One quota on two nodes that share a Redis and a database. */
@OneDayIn(2)
class QuotaOnRedisTest {
  private static final long LIMIT = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @TempDir private Path directory;

  private RedisServer redis;
  private Connection open;
  private Rules first;
  private Rules second;
  private Weir firstNode;
  private Weir secondNode;

  @BeforeEach
  void start() throws Exception {
    redis = RedisServer.start();
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:file:" + directory.resolve("rules"));
    database.setUser("sa");
    open = database.getConnection(); // or H2 would close the file between two connections
    first = Rules.builder(database).timeout(PATIENCE).build();
    first
        .rules()
        .save(
            Rule.builder("free", "/api/*").window(RuleWindow.ofQuota()).limit(LIMIT).build(),
            "the test");
    second = Rules.builder(database).timeout(PATIENCE).build();
    firstNode = node(first);
    secondNode = node(second);
  }

  @AfterEach
  void end() throws Exception {
    firstNode.close();
    secondNode.close();
    open.close();
    redis.close();
  }

  private Weir node(Rules rules) {
    return Weir.builder()
        .settings(
            Map.of(
                "weir.store", redis.url(),
                "weir.secret", "a secret",
                "weir.store.timeout", "10s",
                "weir.usage.interval", "100ms"))
        .policySource(rules.policySource())
        .build();
  }

  @Test
  void isOneForBothNodesAndNobodyGetsMore() {
    long taken = 0;
    for (int i = 0; i < 300; i++) {
      taken += take(first, 3) + take(second, 2);
    }
    // What one of them still holds as a lease, the other refuses; it is back soon.
    Await.until("the rest", () -> take(first, 1) + take(second, 1) == 0 && left(first) == 0);
    assertTrue(taken <= LIMIT, () -> "more than " + LIMIT);
    assertEquals(LIMIT, used(second));
  }

  @Test
  void aRedisThatLostItsDataInMidPeriodIsRightAgainWithTheFirstRequest() {
    assertEquals(700, take(first, 700));
    Await.until("the ledger", () -> used(second) == 700 && used(first) == 700);
    assertEquals(1, take(second, 1)); // the node has read the sum of both
    Await.until("the ledger", () -> used(first) == 701);
    redis.ask("FLUSHALL");
    assertFalse(decide(second, 300).admitted(), "as if nothing had been used");
    Await.until("the connection", () -> take(second, 299) == 299);
    assertEquals(0, take(first, 1));
    assertEquals(0, take(second, 1));
  }

  private static long take(Rules rules, long permits) {
    return decide(rules, permits).admitted() ? permits : 0;
  }

  private static Decision decide(Rules rules, long permits) {
    return rules.quotas().use("alice", permits).orElseThrow();
  }

  private static long used(Rules rules) {
    return rules.quotas().find("alice").map(Quota::used).orElseThrow();
  }

  private static long left(Rules rules) {
    return rules.quotas().find("alice").map(Quota::available).orElseThrow();
  }
}
