package io.weir.grpc;

import static io.grpc.Status.Code.OK;
import static io.grpc.Status.Code.RESOURCE_EXHAUSTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.weir.Ticker;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.grpc.talk.Line;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rules, tiers, quotas and switches in a database, and settings for whole applications. */
class RulesTest {
  private static final String URL = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

  private static TalkServer server;
  private static Connection database;

  static final class Limited extends Talker {
    @Override
    @RateLimit(limit = 3, window = 3600, by = By.USER, name = "ask")
    public void ask(Line question, StreamObserver<Line> answer) {
      super.ask(question, answer);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    TalkServer.Options options = new TalkServer.Options();
    options.settings =
        Map.of(
            "weir.rules", URL,
            "weir.rules.user", "sa",
            "weir.rules.timeout", "10s",
            "weir.store.timeout", "10s");
    options.parts = all -> all.ticker(Ticker.system());
    server = new TalkServer(new Limited(), options);
    database = DriverManager.getConnection(URL, "sa", "");
  }

  @AfterAll
  static void stop() throws Exception {
    database.close();
    server.close();
  }

  private static void run(String sql) throws SQLException {
    try (Statement statement = database.createStatement()) {
      statement.execute(sql);
    }
  }

  private static void rule(String tier, String pattern, String name, int limit) throws Exception {
    run(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, name, limit_count,"
            + " window_seconds) VALUES ('"
            + (tier + "', '" + pattern + "', '" + name + "', " + limit + ", 3600)"));
  }

  private static void user(String user, String tier) throws Exception {
    run("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('" + user + "', '" + tier + "')");
  }

  /** Waits until a call of this kind shows a policy with a limit. */
  private static void await(Lines.Call call, String user, String shown) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    String last;
    do {
      TalkServer.Client client = server.client("user", user);
      var unused = call.with(client);
      last = String.valueOf(client.header("ratelimit-policy")) + client.trailer("ratelimit-policy");
    } while (!last.contains(shown) && System.nanoTime() < end);
    assertTrue(last.contains(shown), last);
  }

  private static Status.Code chat(TalkServer.Client client) throws Exception {
    return Lines.chat(client, "a").status().getCode();
  }

  @Test
  void aRuleLimitsAMethodWithoutAnAnnotation() throws Exception {
    rule("plan", "/weir.test.Talk/Chat", "chats", 2);
    user("probe-1", "plan");
    user("ada", "plan");
    await(RulesTest::chat, "probe-1", "\"chats\";q=2");
    TalkServer.Client ada = server.client("user", "ada");
    assertEquals(List.of(OK, OK, RESOURCE_EXHAUSTED), List.of(chat(ada), chat(ada), chat(ada)));
    TalkServer.Client stranger = server.client("user", "stranger");
    assertEquals(List.of(OK, OK, OK), List.of(chat(stranger), chat(stranger), chat(stranger)));
  }

  @Test
  void aTierChangesTheLimitOfAnAnnotation() throws Exception {
    rule("gold", "policy:ask", "golden", 5);
    user("probe-2", "gold");
    user("grace", "gold");
    await(TalkServer.Client::ask, "probe-2", "\"ask\";q=5");
    assertEquals(
        List.of(OK, OK, OK, OK, OK, RESOURCE_EXHAUSTED), server.client("user", "grace").asks(6));
    assertEquals(List.of(OK, OK, OK, RESOURCE_EXHAUSTED), server.client("user", "poor").asks(4));
  }

  @Test
  void aQuotaIsRefusedOnceUsedUp() throws Exception {
    run(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, period) VALUES"
            + " ('billed', '/weir.test.Talk/Dictate', 1000, 'QUOTA')");
    for (String each : List.of("probe-3", "payer")) {
      user(each, "billed");
      run(
          "INSERT INTO weir.user_quotas (user_id, monthly_limit, billing_day) VALUES ('"
              + (each + "', 2, 1)"));
    }
    await(client -> Lines.dictate(client, "a").status().getCode(), "probe-3", "\"quota\"");
    TalkServer.Client payer = server.client("user", "payer");
    assertEquals(List.of("a"), Lines.dictate(payer, "a").all());
    assertEquals(List.of("a"), Lines.dictate(payer, "a").all());
    assertEquals(RESOURCE_EXHAUSTED, Lines.dictate(payer, "a").status().getCode());
  }

  @Test
  void settingsLimitWholeApplicationsAndMethodsThatHaveNothingElse() throws Exception {
    try (TalkServer limited =
        TalkServer.of(
            new Limited(),
            "weir.default.limit=1",
            "weir.default.window=1h",
            "weir.application.limit=3",
            "weir.application.window=1h",
            "weir.application.by=user")) {
      TalkServer.Client client = limited.client("user", "ada");
      assertEquals(List.of(OK, OK), client.asks(2));
      assertEquals(OK, chat(client));
      assertEquals(RESOURCE_EXHAUSTED, client.ask());
      assertEquals(RESOURCE_EXHAUSTED, chat(limited.client("user", "bob")), "weir.default");
    }
  }

  @Test
  void switchedOffItAdmitsAll() throws Exception {
    try (TalkServer off = TalkServer.of(new Limited(), "weir.enabled=false")) {
      assertEquals(List.of(OK, OK, OK, OK), off.client("user", "ada").asks(4));
    }
  }
}
