package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.Weir;
import io.weir.control.ControlApp.Reply;
import io.weir.rules.Rules;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of tables that Weir only reads, in the API. */
class ForeignRowsTest extends AppPerTest implements AdminRequests {
  private static final String[] TABLES = {
    "CREATE TABLE public.rate_limit_rules (id INTEGER, tier VARCHAR(50), endpoint_pattern"
        + " VARCHAR(255), limit_count INTEGER, window_seconds INTEGER, created_at TIMESTAMP,"
        + " updated_at TIMESTAMP)",
    "CREATE TABLE public.user_tiers (user_id VARCHAR(255), tier VARCHAR(50), custom_limits"
        + " VARCHAR(1000), created_at TIMESTAMP, updated_at TIMESTAMP)",
    "CREATE TABLE public.operation_costs (id INTEGER, endpoint VARCHAR(255), method VARCHAR(10),"
        + " cost INTEGER)",
    "INSERT INTO public.rate_limit_rules VALUES (17, 'free', '/a', 7, 60, NULL, NULL)",
    "INSERT INTO public.user_tiers (user_id, tier) VALUES ('ann', 'free')",
    "INSERT INTO public.operation_costs VALUES (3, '/a', 'GET', 5)"
  };

  @Override
  public Server start(Weir weir, Rules rules) {
    return new GrizzlyTest().start(weir, rules);
  }

  @BeforeEach
  void makeTables() throws SQLException {
    try (Connection connection = app().database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String each : TABLES) {
        statement.execute(each);
      }
    }
    app().rules.refresh();
  }

  @Test
  void theyAreListedWithTheirTableAndRefuseChanges() {
    for (String path : new String[] {"/rules", "/costs"}) {
      JsonNode row = look(path).body().get("items").get(0);
      String table =
          path.equals("/rules") ? "PUBLIC.RATE_LIMIT_RULES 17" : "PUBLIC.OPERATION_COSTS 3";
      assertEquals(table, row.get("origin").asText());
      String one = path + "/" + row.get("id").asText();
      assertEquals(table, look(one).body().get("origin").asText());
      refused(table, put(one, "\"1\"", row.toString()));
      refused(table, delete(one, "\"1\""));
    }
    refused("PUBLIC.USER_TIERS", put("/users/ann", "\"1\"", "{\"tier\": \"free\"}"));
    refused("PUBLIC.USER_TIERS", delete("/users/ann", "\"1\""));
  }

  private static void refused(String table, Reply reply) {
    assertEquals(409, reply.status(), () -> reply.body().toString());
    assertTrue(reply.body().get("detail").asText().contains(table), reply.body().toString());
    assertTrue(!reply.body().has("version"), "another version wouldn't help");
  }

  @Test
  void aRowMadeHereOverridesTheirsAndTheAccountShowsBoth() {
    assertEquals("PUBLIC.USER_TIERS", look("/users/ann").body().get("origin").asText());
    Reply made = put("/users/ann", "", "{\"tier\": \"blocked\"}");
    assertEquals(201, made.status(), () -> made.body().toString());
    JsonNode account = add("/callers/account", "{\"userId\": \"ann\"}").body();
    assertEquals("blocked", account.at("/user/tier").asText());
    assertEquals("free", account.at("/overridden/tier").asText());
    assertEquals("PUBLIC.USER_TIERS", account.at("/overridden/origin").asText());
    Reply forgotten = delete("/users/ann/data", "");
    assertEquals(200, forgotten.status());
    assertEquals("PUBLIC.USER_TIERS", forgotten.body().at("/left/0").asText());
    assertEquals(204, delete("/users/bob/data", "").status());
  }
}
