package io.weir.control;

import static io.weir.control.AdminRequests.assertField;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.control.ControlApp.Reply;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tiers, quotas and requests of users over HTTP, by administrators. */
interface UserTests extends AdminRequests {
  private List<String> withOwnTerms(String query) {
    List<String> names = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = look("/users?own=true" + query + cursor).body();
      for (JsonNode each : page.path("items")) {
        names.add(each.path("userId").asText() + " " + each.path("tier").asText());
      }
      cursor = page.hasNonNull("next") ? "&cursor=" + page.path("next").asText() : "";
    } while (!cursor.isEmpty());
    return names;
  }

  @Test
  default void whoKeepsLimitsOrAQuotaOfTheirOwnIsListed() {
    app().rule("gold", "/api/*", 10);
    String gold = "{\"tier\": \"gold\"}";
    String limited = gold.replace("}", ", \"customLimits\": {\"/api/*\": 5}}");
    put("/users/ann", "", limited);
    put("/users/bob", "", gold);
    put("/users/cid", "", gold);
    app().rule("silver", "*", 10);
    put("/users/dan", "", limited.replace("gold", "silver").replace("/api/*", "*"));
    put("/users/eve", "", limited.replace("}}", "}, \"validUntil\": \"2020-01-01T00:00:00Z\"}"));
    for (String each : List.of("bob", "eve", "fay")) {
      put("/users/" + each + "/quota", "", "{\"monthlyLimit\": 500}");
    }
    assertEquals(List.of("ann gold", "bob gold"), withOwnTerms("&tier=gold"));
    assertEquals(List.of("ann gold", "bob gold"), withOwnTerms("&tier=gold&limit=1"));
    assertEquals(List.of("eve free", "fay free"), withOwnTerms("&tier=free&limit=1"));
    List<String> all = List.of("ann gold", "bob gold", "dan silver", "eve free", "fay free");
    assertEquals(all, withOwnTerms("&limit=2"));
    String user = "INSERT INTO weir.user_tiers (user_id, tier, state, custom_limits) VALUES ";
    sql(user + "('bad', 'gold', 'NONSENSE', '{\"/api/*\": 5}')");
    sql(user + "('none', 'gold', NULL, ''), ('list', 'gold', NULL, '[]')");
    assertEquals(all, withOwnTerms("&limit=2"), "users whose terms can't be read");
    assertField("state", look("/users?own=true&state=ENFORCED"));
    assertEquals(400, look("/users?own=maybe").status());
  }

  @Test
  default void aUserIsGivenATierAndLimitsOfItsOwn() {
    app().rule("gold", "/api/*", 10);
    Reply created =
        put(
            "/users/ann",
            "",
            "{\"tier\": \"gold\", \"customLimits\": {\"/api/*\": {\"limit\": 50, \"window\":"
                + " 60}}}");
    assertEquals(201, created.status(), () -> created.body().toString());
    assertEquals("ENFORCED", created.body().path("state").asText());
    assertEquals(50, created.body().path("customLimits").path("/api/*").path("limit").asLong());
    assertEquals(428, put("/users/ann", "", "{\"tier\": \"gold\"}").status());
    Reply changed =
        put(
            "/users/ann",
            created.header("ETag"),
            "{\"tier\": \"gold\", \"customLimits\": {\"/api/*\": 20}, \"state\":"
                + " \"EVALUATION\"}");
    assertEquals(200, changed.status(), () -> changed.body().toString());
    assertEquals(20, changed.body().path("customLimits").path("/api/*").asLong());
    Reply late = put("/users/ann", created.header("ETag"), "{\"tier\": \"gold\"}");
    assertEquals(409, late.status());
    assertEquals(2, late.body().path("version").asLong());
    assertEquals(1, look("/users?tier=gold&state=EVALUATION").body().path("items").size());
    assertEquals(0, look("/users?tier=free").body().path("items").size());
    assertEquals(204, delete("/users/ann", "2").status());
    assertEquals(404, look("/users/ann").status());
  }

  @Test
  default void whatIsWrongWithAUserIsToldByItsField() {
    app().rule("gold", "/api/*", 10);
    assertField("tier", put("/users/ann", "", "{}"));
    assertField("tier", put("/users/ann", "", "{\"tier\": \"" + "x".repeat(51) + "\"}"));
    assertField("state", put("/users/ann", "", "{\"tier\": \"gold\", \"state\": \"x\"}"));
    assertField(
        "customLimits",
        put("/users/ann", "", "{\"tier\": \"gold\", \"customLimits\": {\"/none\": 5}}"));
    assertField(
        "customLimits",
        put("/users/ann", "", "{\"tier\": \"gold\", \"customLimits\": {\"/api/*\": \"5\"}}"));
  }

  @Test
  default void aMisspelledFieldOfAUserIsRefused() {
    app().rule("gold", "/api/*", 10);
    Reply refused =
        put("/users/ann", "", "{\"tier\": \"gold\", \"custumLimits\": {\"/api/*\": 5}}");
    assertField("custumLimits", refused);
    assertEquals(
        "custumLimits must be one of the fields userId, version, tier, customLimits, state,"
            + " validUntil, origin, warnings (did you mean customLimits?).",
        refused.body().path("detail").asText());
    assertEquals(404, look("/users/ann").status(), "nothing was saved");
  }

  @Test
  default void aTierThatNothingLimitsIsSavedWithAWarning() {
    app().rule("gold", "/api/*", 10);
    Reply early = put("/users/ann", "", "{\"tier\": \"golt\"}");
    assertEquals(201, early.status(), () -> early.body().toString());
    assertEquals(
        "no rule or @Tier has 'golt': only rules of * and own limits apply; case"
            + " matters; did you mean gold?",
        early.body().path("warnings").path(0).asText(),
        () -> early.body().toString());
    app().rule("golt", "/api/*", 20);
    Reply known = put("/users/ann", early.header("ETag"), look("/users/ann").body().toString());
    assertEquals(200, known.status(), () -> known.body().toString());
    assertEquals("[]", known.body().path("warnings").toString());
  }

  @Test
  default void usersAreListedPageByPage() {
    app().rule("gold", "/api/*", 10);
    for (int i = 0; i < 3; i++) {
      app().user("user" + i, "gold");
    }
    JsonNode first = look("/users?limit=2").body();
    assertEquals("user1", first.path("items").get(1).path("userId").asText());
    JsonNode next = look("/users?limit=2&cursor=" + first.path("next").asText()).body();
    assertEquals("user2", next.path("items").get(0).path("userId").asText());
    assertTrue(next.path("next").isNull());
  }

  @Test
  default void quotasAndGrantsAreGiven() {
    app().save(Rule.builder("*", "/api/*").limit(100).window(RuleWindow.ofQuota()));
    Reply told = look("/users/ann/quota");
    assertEquals(100, told.body().path("limit").asLong(), () -> told.body().toString());
    assertTrue(told.body().path("settings").isNull());
    Reply put = put("/users/ann/quota", "", "{\"monthlyLimit\": 500, \"zone\": \"Asia/Tokyo\"}");
    assertEquals(200, put.status(), () -> put.body().toString());
    assertEquals(500, put.body().path("limit").asLong());
    assertEquals(428, put("/users/ann/quota", "", "{}").status());
    assertField("zone", put("/users/ann/quota", "1", "{\"zone\": \"Nowhere\"}"));
    assertField("billingDay", put("/users/ann/quota", "1", "{\"billingDay\": 32}"));
    assertEquals(409, put("/users/ann/quota", "9", "{}").status());

    Reply grant = add("/users/ann/grants", "{\"permits\": 7, \"reason\": \"sorry\"}");
    assertEquals(201, grant.status(), () -> grant.body().toString());
    assertEquals("root", grant.body().path("grantedBy").asText());
    assertEquals(1, look("/users/ann/grants").body().size());
    assertField("permits", add("/users/ann/grants", "{\"permits\": 0}"));
    long id = grant.body().path("id").asLong();
    assertEquals(404, delete("/users/bob/grants/" + id, "1").status());
    assertEquals(428, delete("/users/ann/grants/" + id, "").status());
    assertEquals(204, delete("/users/ann/grants/" + id, grant.header("ETag")).status());
    assertEquals(0, look("/users/ann/periods").body().size());
    assertEquals(204, delete("/users/ann/quota", put.header("ETag")).status());
    assertEquals(100, look("/users/ann/quota").body().path("limit").asLong());
  }

  @Test
  default void aUserIsForgotten() {
    app().rule("gold", "/api/*", 10);
    app().user("ann", "gold");
    assertEquals(204, delete("/users/ann/data", "").status());
    assertEquals(404, look("/users/ann").status());
  }

  @Test
  default void aUserIsAdministeredWhateverCharactersItsNameHas() {
    app().rule("gold", "/api/*", 10);
    app().save(Rule.builder("*", "/api/*").limit(100).window(RuleWindow.ofQuota()));
    for (String name :
        List.of("spiffe://example.org/shop", "https://id.example/7?a=b&c", "50%", "a\\b", "ann")) {
      String user = "?userId=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
      Reply created = put("/user" + user, "", "{\"tier\": \"gold\"}");
      assertEquals(201, created.status(), () -> created.body().toString());
      assertEquals(name, look("/user" + user).body().path("userId").asText());
      Reply quota = put("/user/quota" + user, "", "{\"monthlyLimit\": 500}");
      assertEquals(500, look("/user/quota" + user).body().path("limit").asLong());
      Reply grant = add("/user/grants" + user, "{\"permits\": 7, \"reason\": \"sorry\"}");
      assertEquals(201, grant.status(), () -> grant.body().toString());
      assertEquals(1, look("/user/grants" + user).body().size());
      long id = grant.body().path("id").asLong();
      assertEquals(204, delete("/user/grants/" + id + user, grant.header("ETag")).status());
      assertEquals(0, look("/user/periods" + user).body().size());
      assertEquals(204, delete("/user/quota" + user, quota.header("ETag")).status());
      String status = "/v1/ratelimit/status" + user;
      assertEquals("gold", app().get(status, ROOT).body().path("tier").asText());
      assertEquals(200, app().get(status, name.startsWith("ann") ? "ann/" : ROOT).status());
      assertEquals(403, app().get(status, "bob/").status());
      assertEquals(204, delete("/user" + user, created.header("ETag")).status());
      assertEquals(204, delete("/user/data" + user, "").status());
      assertEquals(404, look("/user" + user).status());
    }
    assertField("userId", look("/user"));
    assertField("userId", delete("/user/data?userId=", ""));
    assertField("userId", delete("/users/" + "a".repeat(501) + "/data", ""));
    assertField("userId", app().get("/v1/ratelimit/status", ROOT));
  }

  @Test
  default void upgradesAreDecided() {
    app().rule("free", "/api/*", 10);
    app().rule("gold", "/api/*", 100);
    app().rule("lead", "/api/*", 1);
    long good = app().rules.upgrades().request("ann", "gold", "please").id();
    long bad = app().rules.upgrades().request("bob", "lead", "").id();
    assertEquals(2, look("/upgrades/pending").body().path("pending").asLong());
    assertEquals(2, look("/upgrades?status=pending").body().path("items").size());
    assertEquals(1, look("/upgrades/" + bad).body().path("lowered").size());
    assertField("requestedTier", add("/upgrades/" + bad + "/approve", "{}"));
    Reply declined = add("/upgrades/" + bad + "/decline", "{\"answer\": \"no\"}");
    assertEquals("DECLINED", declined.body().path("status").asText());
    Reply approved = add("/upgrades/" + good + "/approve", "{\"answer\": \"welcome\"}");
    assertEquals("APPROVED", approved.body().path("status").asText());
    assertEquals("gold", look("/users/ann").body().path("tier").asText());
    assertEquals(409, add("/upgrades/" + good + "/decline", "{}").status());
    assertEquals(404, add("/upgrades/77/approve", "{}").status());
    assertField("status", look("/upgrades?status=x"));
  }
}
