package io.weir.control;

import static io.weir.control.AdminRequests.assertField;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.control.ControlApp.Reply;
import io.weir.rules.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Rules, costs, switches and the history of changes over HTTP. */
interface AdminTests extends AdminRequests {
  String RULE =
      "{\"tier\": \"free\", \"endpointPattern\": \"/api/*\", \"limitCount\": 2,"
          + " \"windowSeconds\": 60}";

  @Test
  default void aRuleIsAddedReadReplacedAndDeleted() {
    Reply added = add("/rules", RULE);
    assertEquals(201, added.status(), () -> added.body().toString());
    long id = added.body().path("id").asLong();
    assertEquals("\"1\"", added.header("ETag"));
    assertTrue(added.header("Location").endsWith("/v1/admin/ratelimit/rules/" + id));
    assertEquals("api.all-60s-", added.body().path("name").asText().substring(0, 12));
    assertEquals("ENFORCED", added.body().path("state").asText());
    assertEquals("root", added.body().path("updatedBy").asText());

    Reply read = look("/rules/" + id);
    assertEquals(2, read.body().path("limitCount").asLong());
    assertEquals(2, app().check(DecideTests.ALICE).body().path("limit").asLong());

    Reply put = put("/rules/" + id, "\"1\"", RULE.replace(": 2,", ": 7,"));
    assertEquals(200, put.status(), () -> put.body().toString());
    assertEquals("\"2\"", put.header("ETag"));
    assertEquals(7, app().check(DecideTests.ALICE).body().path("limit").asLong());

    assertEquals(204, delete("/rules/" + id, "2").status());
    assertEquals(404, look("/rules/" + id).status());
    assertEquals(404, delete("/rules/" + id, "2").status());
    assertEquals(404, look("/rules/99999999999999999999").status());
  }

  @Test
  default void aChangeNamesItsVersion() {
    long id = add("/rules", RULE).body().path("id").asLong();
    assertEquals(428, put("/rules/" + id, "", RULE).status());
    assertEquals(428, delete("/rules/" + id, "").status());
    assertField("If-Match", put("/rules/" + id, "*", RULE));
    Reply conflict = put("/rules/" + id, "\"7\"", RULE);
    assertEquals(409, conflict.status());
    assertEquals(1, conflict.body().path("version").asLong());
    assertEquals(409, delete("/rules/" + id, "3").status());
  }

  @Test
  default void ofTwoWhoChangeARuleAtOnceOneIsToldOfTheOther() throws Exception {
    long id = add("/rules", RULE).body().path("id").asLong();
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CyclicBarrier together = new CyclicBarrier(threads);
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      String json = RULE.replace(": 2,", ": " + (10 + i) + ",");
      Callable<Integer> changes =
          () -> {
            together.await();
            return put("/rules/" + id, "1", json).status();
          };
      all.add(pool.submit(changes));
    }
    int changed = 0;
    for (Future<Integer> each : all) {
      int status = each.get();
      assertTrue(status == 200 || status == 409, "answers " + status);
      changed += status == 200 ? 1 : 0;
    }
    pool.shutdownNow();
    assertEquals(1, changed);
    assertEquals(2, look("/rules/" + id).body().path("version").asLong());
  }

  @Test
  default void whatIsWrongWithARuleIsToldByItsField() {
    assertField("tier", add("/rules", RULE.replace("\"free\"", "\" \"")));
    assertField("tier", add("/rules", RULE.replace("\"free\"", "\"" + "x".repeat(51) + "\"")));
    assertField("endpointPattern", add("/rules", RULE.replace("/api/*", "/" + "x".repeat(255))));
    assertField("limitCount", add("/rules", RULE.replace(": 2,", ": 0,")));
    assertField("limitCount", add("/rules", RULE.replace(": 2,", ": \"2\",")));
    assertField("windowSeconds", add("/rules", RULE.replace("60", "0")));
    assertField("endpointPattern", add("/rules", RULE.replace("/api/*", "api")));
    assertField("state", add("/rules", RULE.replace("}", ", \"state\": \"ON\"}")));
    assertField("state", look("/rules?state=ON"));
    assertField("limit", look("/rules?limit=0"));
    assertField("cursor", look("/rules?cursor=x"));
    assertEquals(0, look("/rules").body().path("items").size());
  }

  @Test
  default void fieldsThatDoNotExistAreRefusedInBodiesOfAdministrators() {
    String colour = "{\"colour\": 1}";
    app().rule("gold", "/api/*", 10);
    String upgrade = "/upgrades/" + app().rules.upgrades().request("ann", "gold", "").id();
    for (String path :
        List.of(
            "/rules",
            "/costs",
            "/access",
            "/callers",
            "/callers/reset",
            "/callers/account",
            "/what-if",
            "/anomalies/end",
            upgrade + "/approve",
            upgrade + "/decline",
            "/users/ann/grants")) {
      assertField("colour", add(path, colour));
    }
    for (String path : List.of("/users/ann", "/users/ann/quota", "/switches/search")) {
      assertField("colour", put(path, "", colour));
    }
    Reply inside =
        add(
            "/rules",
            "{\"tier\": \"free\", \"rules\": [{\"endpoint\": \"/a\", \"limt\": 5, \"window\": 60}]}");
    assertField("rules[0].limt", inside);
    assertEquals(
        "must be one of the fields endpoint, limit, window (did you mean limit?)",
        inside.body().path("rule").asText());
  }

  @Test
  default void aRuleIsCheckedBeforeItIsSaved() {
    add("/rules", RULE);
    Reply checked = add("/rules?dryRun=true", RULE.replace("/api/*", "/api/posts"));
    assertEquals(200, checked.status());
    assertTrue(checked.body().path("warnings").size() > 0, () -> checked.body().toString());
    assertEquals(1, look("/rules").body().path("items").size());
    assertEquals(400, add("/rules?dryRun=maybe", RULE).status());
  }

  @Test
  default void whatIsReadCanBeSentBack() {
    Reply added = add("/rules", RULE);
    long id = added.body().path("id").asLong();
    Reply again = put("/rules/" + id, "1", added.body().toString());
    assertEquals(200, again.status(), () -> again.body().toString());
    assertEquals(added.body().path("name"), again.body().path("name"));
    Reply moved = put("/rules/" + id, "2", again.body().toString().replace("/api/*", "/api/posts"));
    assertEquals("api.posts-60s", moved.body().path("name").asText(), "a made name is made anew");
  }

  @Test
  default void theRulesOfATierAreBroughtUpToDate() {
    add("/rules", RULE);
    Reply applied =
        add(
            "/rules",
            "{\"tier\": \"free\", \"rules\": [{\"endpoint\": \"/api/*\", \"limit\": 5,"
                + " \"window\": 60}, {\"endpoint\": \"/api/*\", \"limit\": 90, \"window\":"
                + " 3600}]}");
    assertEquals(200, applied.status(), () -> applied.body().toString());
    assertEquals(2, applied.body().path("rules").size());
    JsonNode all = look("/rules/free").body().path("items");
    assertEquals(2, all.size());
    assertEquals(5, all.get(0).path("limitCount").asLong());
    assertEquals(2, all.get(0).path("version").asLong());
    assertField(
        "rules[1].limit",
        add(
            "/rules",
            "{\"tier\": \"free\", \"rules\": [{\"endpoint\": \"/b\", \"limit\": 5, \"window\":"
                + " 60}, {\"endpoint\": \"/c\", \"limit\": 0, \"window\": 60}]}"));
    assertEquals(2, look("/rules/free").body().path("items").size(), "all or nothing");
  }

  private static String change(Object id, long version, String rule) {
    return "{\"id\": " + id + ", \"version\": " + version + ", \"rule\": " + rule + "}";
  }

  private Reply change(String query, String... changes) {
    return add("/rulebook" + query, "{\"changes\": [" + String.join(", ", changes) + "]}");
  }

  @Test
  default void severalRulesChangeTogetherAndBack() {
    long kept = add("/rules", RULE).body().path("id").asLong();
    String other = RULE.replace("/api/*", "/api/other");
    long gone = add("/rules", other).body().path("id").asLong();
    String until = RULE.replace("}", ", \"validUntil\": \"2030-01-01T00:00:00Z\"}");
    String from =
        RULE.replace(": 2,", ": 4,").replace("}", ", \"validFrom\": \"2030-01-01T00:00:00Z\"}");
    String[] changes = {
      change(kept, 1, until), "{\"rule\": " + from + "}", change(gone, 1, "null")
    };

    JsonNode checked = change("?dryRun=true", changes).body();
    assertEquals(2, checked.path("rules").size(), checked::toString);
    assertTrue(checked.path("undo").isNull() || checked.path("undo").isMissingNode());
    assertEquals(2, look("/rules").body().path("items").size(), "nothing was saved");

    Reply saved = change("", changes);
    assertEquals(200, saved.status(), () -> saved.body().toString());
    assertEquals(2, saved.body().path("rules").path(0).path("version").asLong());
    assertEquals("root", saved.body().path("rules").path(1).path("updatedBy").asText());
    assertEquals(4, saved.body().path("rules").path(1).path("limitCount").asLong());
    assertEquals(404, look("/rules/" + gone).status());
    JsonNode history = look("/changes?table=rate_limit_rules&limit=3").body().path("items");
    history.forEach(each -> assertEquals("root", each.path("by").asText(), each::toString));

    String undo = saved.body().path("undo").toString();
    Reply back = add("/rulebook", undo);
    assertEquals(200, back.status(), () -> back.body().toString());
    JsonNode all = look("/rules").body().path("items");
    assertEquals(2, all.size(), all::toString);
    for (JsonNode each : all) {
      assertEquals(2, each.path("limitCount").asLong());
      assertTrue(each.path("validUntil").isMissingNode() || each.path("validUntil").isNull());
    }
    assertEquals("/api/other", all.get(1).path("endpointPattern").asText());
    assertEquals(409, add("/rulebook", undo).status(), "taken back once");
  }

  @Test
  default void undoLeavesNamesToBeGenerated() {
    long moved = add("/rules", RULE).body().path("id").asLong();
    long gone = add("/rules", RULE.replace("/api/*", "/api/gone")).body().path("id").asLong();
    String elsewhere = RULE.replace("/api/*", "/api/elsewhere");
    Reply saved = change("", change(moved, 1, elsewhere), change(gone, 1, "null"));
    Reply back = add("/rulebook", saved.body().path("undo").toString());
    assertEquals(200, back.status(), () -> back.body().toString());
    List<Rule> all = app().rules.rules().all();
    assertEquals(List.of("/api/*", "/api/gone"), all.stream().map(Rule::pattern).sorted().toList());
    all.forEach(rule -> assertTrue(rule.givenName().isEmpty(), rule::name));
  }

  @Test
  default void rulesThatUndoCouldNotPutBackAreDeletedByThemselves() {
    Rule inSql = Rule.builder("t".repeat(60), "/api/long").limit(5).build();
    long id = app().rules.rules().save(inSql, "sql").id();
    for (String query : List.of("", "?dryRun=true")) {
      Reply refused = change(query, "{\"rule\": " + RULE + "}", change(id, 1, "null"));
      assertField("changes[1].id", refused);
      String rule = refused.body().path("rule").asText();
      assertTrue(rule.contains("its tier must"), rule);
    }
    assertEquals(1, look("/rules").body().path("items").size());
    assertEquals(204, delete("/rules/" + id, "1").status());
  }

  @Test
  default void rowsThatCannotBeReadCanBeDeleted() {
    long id = add("/rules", RULE).body().path("id").asLong();
    sql("UPDATE weir.rate_limit_rules SET state = 'NONSENSE' WHERE id = " + id);
    assertField("changes[0].id", change("", change(id, 2, "null")));
    assertEquals(404, look("/rules/" + id).status());
    Reply stale = delete("/rules/" + id, "1");
    assertEquals(409, stale.status());
    assertEquals(2, stale.body().path("version").asLong(), () -> stale.body().toString());
    assertEquals(204, delete("/rules/" + id, "2").status());
    assertEquals(404, delete("/rules/" + id, "2").status());
    assertEquals(409, change("", change(id, 2, "null")).status());
  }

  @Test
  default void aDryRunNoticesStaleVersions() {
    long id = add("/rules", RULE).body().path("id").asLong();
    for (String rule : List.of("null", RULE)) {
      assertEquals(409, change("?dryRun=true", change(id, 7, rule)).status());
      assertEquals(200, change("?dryRun=true", change(id, 1, rule)).status());
    }
  }

  @Test
  default void moreThanUndoCouldTakeBackAtOnceIsRefused() {
    List<Rule> large = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      String pattern = "/large/" + i + "/" + "x".repeat(230);
      large.add(
          Rule.builder("free", pattern)
              .limit(5)
              .countBy(List.of("header:X" + "y".repeat(400)))
              .build());
    }
    List<String> deletions =
        app().rules.rules().saveAll(large, "sql").stream()
            .map(rule -> change(rule.id(), rule.version(), "null"))
            .toList();
    assertField("changes", change("", deletions.toArray(String[]::new)));
    Reply fewer = change("", deletions.subList(0, 300).toArray(String[]::new));
    assertEquals(200, fewer.status(), () -> fewer.body().toString());
    assertEquals(200, add("/rulebook", fewer.body().path("undo").toString()).status());
  }

  @Test
  default void ofSeveralChangesNoneIsMadeIfOneFails() {
    long first = add("/rules", RULE).body().path("id").asLong();
    String other = RULE.replace("/api/*", "/api/other");
    String more = RULE.replace(": 2,", ": 9,");
    Reply stale =
        change("", "{\"rule\": " + other + "}", change(first, 1, more), change(99_999, 1, "null"));
    assertEquals(409, stale.status());
    assertTrue(
        stale.body().path("detail").asText().contains("99999 no longer exists"),
        () -> stale.body().toString());
    assertEquals(409, change("", "{\"rule\": " + other + "}", change(first, 7, more)).status());
    // The database itself refuses the second row, once the first has been written.
    String tooLong = other.replace("}", ", \"countBy\": \"header:" + "X".repeat(500) + "\"}");
    Reply refused = change("", change(first, 1, more), "{\"rule\": " + tooLong + "}");
    assertField("countBy", refused);
    JsonNode all = look("/rules").body().path("items");
    assertEquals(1, all.size(), all::toString);
    assertEquals(2, all.get(0).path("limitCount").asLong());
    assertEquals(1, all.get(0).path("version").asLong());

    String[] many = new String[600];
    for (int i = 0; i < many.length; i++) {
      many[i] = "{\"rule\": " + RULE.replace("/api/*", "/a/tier/of/many/rules/" + i) + "}";
    }
    assertEquals(many.length, change("?dryRun=true", many).body().path("rules").size());
    assertField("changes", change(""));
    assertField("changes[0].rule", change("", "{}"));
    assertField("changes[0].version", change("", "{\"id\": " + first + "}"));
    assertField("changes[1].id", change("", change(first, 1, more), change(first, 1, "null")));
    assertField(
        "changes[0].rule.limitCount",
        change("", "{\"rule\": " + other.replace(": 2,", ": 0,") + "}"));
    assertField("changes[0].rule.tier", change("", "{\"rule\": {}}"));
    assertField("changes[0].rule.colour", change("", "{\"rule\": {\"colour\": 1}}"));
    assertField(
        "changes[0].rule.name",
        change("", "{\"rule\": " + other + "}", "{\"rule\": " + other + "}"));
  }

  @Test
  default void rulesAreListedPageByPage() {
    for (int i = 0; i < 5; i++) {
      add("/rules", RULE.replace("/api/*", "/api/" + i));
    }
    add("/rules", RULE.replace("free", "gold").replace("}", ", \"state\": \"DRAFT\"}"));
    List<String> found = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = look("/rules?tier=free&limit=2" + cursor).body();
      page.path("items").forEach(each -> found.add(each.path("endpointPattern").asText()));
      cursor = page.path("next").isNull() ? "" : "&cursor=" + page.path("next").asText();
    } while (!cursor.isEmpty());
    assertEquals(List.of("/api/0", "/api/1", "/api/2", "/api/3", "/api/4"), found);
    assertEquals(1, look("/rules?state=draft").body().path("items").size());
  }

  @Test
  default void aLongListHasItsType() {
    for (int i = 0; i < 40; i++) {
      add("/rules", RULE.replace("/api/*", "/api/" + i));
    }
    Reply list = look("/rules");
    assertTrue(list.response().body().length() > 16_384);
    assertTrue(
        list.header("Content-Type").startsWith("application/json"),
        () -> list.response().headers().toString());
    assertEquals(40, list.body().path("items").size());
  }

  @Test
  default void aStateIsChangedAlone() {
    long id = add("/rules", RULE).body().path("id").asLong();
    String path = ADMIN + "/rules/" + id + "/state";
    Reply shadow =
        app()
            .send(
                app().request(path, ROOT).header("If-Match", "1"),
                "POST",
                "{\"state\": \"SHADOW\"}");
    assertEquals("SHADOW", shadow.body().path("state").asText());
    assertEquals(2, shadow.body().path("limitCount").asLong());
    assertField(
        "state",
        app()
            .send(
                app().request(path, ROOT).header("If-Match", "2"), "POST", "{\"state\": \"OFF\"}"));
    assertEquals(
        428, app().send(app().request(path, ROOT), "POST", "{\"state\": \"DRAFT\"}").status());
  }

  @Test
  default void theRulebookGoesOutAndComesInAsYaml() {
    add("/rules", RULE);
    Reply out = look("/rulebook");
    assertTrue(out.header("Content-Type").startsWith("application/yaml"));
    String yaml = out.response().body();
    assertTrue(yaml.contains("/api/*"), yaml);
    String wanted = yaml.replace("limit_count: 2", "limit_count: 3");
    Reply compared = yaml("?dryRun=true", wanted);
    assertEquals(200, compared.status(), () -> compared.body().toString());
    assertTrue(compared.body().path("changes").size() > 0);
    assertEquals(2, look("/rules").body().path("items").get(0).path("limitCount").asLong());
    assertEquals(200, yaml("", wanted).status());
    assertEquals(3, look("/rules").body().path("items").get(0).path("limitCount").asLong());
    Reply bad = yaml("", "rules: [1");
    assertEquals(400, bad.status());
    assertTrue(bad.body().path("problems").size() > 0);
    assertEquals(415, put("/rulebook", "", "{}").status());
    assertEquals(413, yaml("", "#".repeat((1 << 20) + 1)).status());
    for (String deep : List.of("[", "{a: ", "- ", "? ", "rules: [[[[[[[[[")) {
      Reply refused = yaml("?dryRun=true", deep.repeat(400_000 / deep.length()));
      assertEquals(400, refused.status(), deep);
      assertEquals(
          "line 1: lists and mappings are nested too deeply",
          refused.body().get("detail").asText());
    }
    StringBuilder wrong = new StringBuilder("rules:\n  -\n");
    for (int i = 0; i < 20_000; i++) {
      wrong.append("    f").append(i).append(": 1\n");
    }
    Reply many = yaml("?dryRun=true", wrong.toString());
    assertEquals(400, many.status());
    assertEquals(101, many.body().get("problems").size());
    assertEquals("and 19900 more mistakes", many.body().get("problems").get(100).asText());
  }

  private Reply yaml(String query, String yaml) {
    return app()
        .send(app().request(ADMIN + "/rulebook" + query, ROOT), "PUT", yaml, "application/yaml");
  }

  @Test
  default void costsAreAddedReplacedAndDeleted() {
    Reply added = add("/costs", "{\"endpoint\": \"/api/*\", \"method\": \"POST\", \"cost\": 5}");
    assertEquals(201, added.status(), () -> added.body().toString());
    long id = added.body().path("id").asLong();
    String version = added.header("ETag");
    assertEquals(5, look("/costs/" + id).body().path("cost").asLong());
    assertEquals(428, put("/costs/" + id, "", "{}").status());
    assertField("endpoint", put("/costs/" + id, version, "{}"));
    Reply put = put("/costs/" + id, version, "{\"endpoint\": \"/api/*\", \"cost\": 6}");
    assertEquals("*", put.body().path("method").asText());
    assertEquals(409, put("/costs/" + id, version, "{\"endpoint\": \"/b\", \"cost\": 6}").status());
    assertEquals(1, look("/costs").body().path("items").size());
    assertEquals(204, delete("/costs/" + id, put.header("ETag")).status());
    assertEquals(404, look("/costs/" + id).status());
    assertField("cost", add("/costs", "{\"endpoint\": \"/a\", \"cost\": 0}"));
  }

  @Test
  default void switchesAreSetAndEnded() {
    add("/rules", RULE);
    String until = Instant.now().plusSeconds(3_600).toString();
    String json = "{\"state\": \"OFF\", \"until\": \"" + until + "\", \"reason\": \"trouble\"}";
    Reply set = put("/switches/*", "", json);
    assertEquals(200, set.status(), () -> set.body().toString());
    assertEquals("root", set.body().path("setBy").asText());
    assertEquals(0, app().check(DecideTests.ALICE).body().path("policies").size());
    assertEquals("*", look("/switches").body().get(0).path("policy").asText());
    assertEquals(204, delete("/switches/*", "").status());
    assertEquals(404, delete("/switches/*", "").status());
    assertField("reason", put("/switches/a", "", json.replace("trouble", "")));
    assertField("until", put("/switches/a", "", json.replace(until, "2020-01-01T00:00:00Z")));
    assertField("state", put("/switches/a", "", json.replace("OFF", "ON")));
  }

  @Test
  default void theHistoryIsToldAndARowComesBack() {
    long id = add("/rules", RULE).body().path("id").asLong();
    put("/rules/" + id, "1", RULE.replace(": 2,", ": 9,"));
    JsonNode changes = look("/changes?table=rate_limit_rules&limit=1").body();
    JsonNode newest = changes.path("items").get(0);
    assertEquals("root", newest.path("by").asText());
    assertEquals(9, newest.path("after").path("limit_count").asLong());
    JsonNode older =
        look("/changes?limit=1&table=rate_limit_rules&cursor=" + changes.path("next").asText())
            .body()
            .path("items")
            .get(0);
    assertTrue(older.path("before").isNull());
    assertEquals(204, add("/changes/" + older.path("number").asLong() + "/restore", "").status());
    assertEquals(2, look("/rules/" + id).body().path("limitCount").asLong());
    assertEquals(404, add("/changes/123456/restore", "").status());
    assertEquals(404, add("/changes/x/restore", "").status());
  }

  /** Parameters that a database might be unable to compare or store. */
  @Test
  default void oddParametersAreAnsweredOrRejected() {
    for (String path :
        new String[] {
          "/callers?userId=%00",
          "/violations?userId=%00",
          "/outcomes/hours?policy=%00",
          "/outcomes/hours?policy=%ED%A0%80",
          "/outcomes/hours?from=-999999999-01-01T00:00:00Z",
          "/outcomes/hours?to=%2B999999999-12-31T00:00:00Z",
          "/outcomes/hours?cursor=OTIyMzM3MjAzNjg1NDc3NTgwNwAx",
          "/outcomes/hours?cursor=MAAA",
          "/violations?userId=%ED%A0%80",
          "/anomalies?userId=%00",
          "/anomalies?userId=%00&current=true",
          "/changes?user=%00",
          "/changes?table=%00",
          "/upgrades?status=%00",
          "/rules?tier=%00",
          "/rules?state=%00",
          "/usage?from=-999999999-01-01T00:00:00Z&to=-999999999-01-02T00:00:00Z",
          "/usage?from=%2B999999999-01-01T00:00:00Z",
          "/violations?from=-999999999-01-01T00:00:00Z",
          "/violations?to=%2B999999999-12-31T00:00:00Z",
          "/anomalies?from=-999999999-01-01T00:00:00Z",
          "/anomalies?to=%2B999999999-12-31T00:00:00Z",
          "/anomalies?cursor=LTkyMjMzNzIwMzY4NTQ3NzU4MDgAYQBi",
          "/violations?cursor=OTIyMzM3MjAzNjg1NDc3NTgwNwAx",
          "/changes?from=-999999999-01-01T00:00:00Z",
          "/usage/ann?by=day&from=%2B999999999-12-01T00:00:00Z&to=%2B999999999-12-31T00:00:00Z",
        }) {
      Reply reply = look(path);
      assertTrue(
          reply.status() < 500,
          () -> path + ": " + reply.status() + ", " + reply.body().toString());
    }
  }

  @Test
  default void policiesAreListed() {
    add("/rules", RULE);
    JsonNode policy = look("/policies").body().get(0);
    assertEquals("/api/*", policy.path("endpointPattern").asText());
    assertEquals(2, policy.path("limit").asLong());
    assertTrue(policy.path("source").asText().startsWith("rule "));
    assertEquals(404, look("/policies/none/buckets").status());
    String name = policy.path("name").asText();
    assertEquals(501, look("/policies/" + name + "/buckets").status(), "in memory");
  }
}
