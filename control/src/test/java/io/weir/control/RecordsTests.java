package io.weir.control;

import static io.weir.control.AdminRequests.assertField;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.control.ControlApp.Reply;
import io.weir.rules.tier.OwnLimit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is recorded, for administrators and for users: each sees no more than it may. */
interface RecordsTests extends AdminRequests {
  /** A day that was over when the tests began, so that its hours are complete. */
  Instant DAY = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS);

  private void usage(String userId, String endpoint, int hour, long requests, long peak)
      throws SQLException {
    Instant startsAt = DAY.plus(hour, ChronoUnit.HOURS);
    try (Connection connection = app().database.getConnection();
        PreparedStatement hourly =
            connection.prepareStatement(
                "INSERT INTO weir.usage_hourly VALUES (?, ?, ?, ?, 1, ?, ?)")) {
      hourly.setString(1, userId);
      hourly.setString(2, endpoint);
      hourly.setObject(3, startsAt.atOffset(ZoneOffset.UTC));
      hourly.setLong(4, requests);
      hourly.setLong(5, requests - 1);
      hourly.setLong(6, peak);
      hourly.executeUpdate();
    }
  }

  private void refusal(String userId, String endpoint, String policy, Instant at, int number)
      throws SQLException {
    try (Connection connection = app().database.getConnection();
        PreparedStatement row =
            connection.prepareStatement(
                "INSERT INTO weir.rate_limit_violations (user_id, endpoint, timestamp,"
                    + " attempted_count, policy) VALUES (?, ?, ?, ?, ?)")) {
      row.setString(1, userId);
      row.setString(2, endpoint);
      row.setObject(3, at.atOffset(ZoneOffset.UTC));
      row.setLong(4, number);
      row.setString(5, policy);
      row.executeUpdate();
    }
  }

  private static String time() {
    return "from=" + DAY + "&to=" + DAY.plus(1, ChronoUnit.DAYS);
  }

  private Reply csv(String path) {
    return app().send(app().request(ADMIN + path, ROOT).header("Accept", "text/csv").GET());
  }

  @Test
  default void regionsAreListedWhereTheyAreSet() {
    assertEquals(0, look("/regions").body().size());
    Map<String, String> settings =
        Map.of(
            "weir.region", "eu",
            "weir.regions.mode", "shares",
            "weir.regions.shares", "ap@25,eu@40,us@35");
    try (ControlApp regions = app(settings)) {
      JsonNode all = regions.get(ADMIN + "/regions", "eyes/weir-view").body();
      assertEquals(List.of("eu", "ap", "us"), all.findValuesAsText("name"));
      assertEquals(List.of("40", "25", "35"), all.findValuesAsText("share"));
      assertEquals(List.of("true", "false", "false"), all.findValuesAsText("isOwn"));
      assertTrue(all.get(1).get("heardSecondsAgo").isNull(), all::toString);
    }
  }

  @Test
  default void theHistoryOfOneRowIsThatOfNoOther() {
    long first = add("/rules", rule("/a", 1)).body().path("id").asLong();
    long second = add("/rules", rule("/b", 2)).body().path("id").asLong();
    put("/rules/" + first, "1", rule("/a", 3));
    put("/rules/" + second, "1", rule("/b", 4));
    String of = "/changes?table=rate_limit_rules&rowKey=" + first;
    JsonNode items = look(of).body().path("items");
    assertEquals(2, items.size(), items::toString);
    items.forEach(each -> assertEquals(Long.toString(first), each.path("rowKey").asText()));
    assertEquals(3, items.get(0).path("after").path("limit_count").asLong());
    JsonNode page = look(of + "&limit=1").body();
    JsonNode next = look(of + "&limit=1&cursor=" + page.path("next").asText()).body();
    assertEquals(1, next.path("items").get(0).path("after").path("limit_count").asLong());
    assertField("rowKey", look("/changes?rowKey=" + first));
    assertEquals(0, look("/changes?table=user_tiers&rowKey=" + first).body().path("items").size());
  }

  private static String rule(String pattern, int limit) {
    return "{\"tier\": \"free\", \"endpointPattern\": \""
        + pattern
        + "\", \"limitCount\": "
        + limit
        + ", \"windowSeconds\": 60}";
  }

  @Test
  default void theMostRefusedCallersAreListed() throws SQLException {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    refusal("ann", "/a", "p1", now.minusSeconds(60), 5);
    refusal("ann", "/b", "p2", now.minusSeconds(50), 7);
    refusal("ip:192.0.2.1", "/a", "p1", now.minusSeconds(40), 30);
    refusal("old", "/a", "p1", now.minusSeconds(7_200), 99);
    JsonNode top = look("/refused").body();
    assertEquals(2, top.size(), top::toString);
    assertEquals("ip:192.0.2.1", top.get(0).path("userId").asText());
    JsonNode ann = top.get(1);
    assertEquals(12, ann.path("refused").asLong());
    assertEquals(2, ann.path("endpoints").asLong());
    assertEquals("p2", ann.path("policies").get(0).asText());
    assertEquals("p1", ann.path("policies").get(1).asText());
    assertEquals(now.minusSeconds(50).toString(), ann.path("lastAt").asText());
    assertEquals(
        "old",
        look("/refused?from=" + now.minusSeconds(9_000)).body().get(0).path("userId").asText());
    assertEquals(1, look("/refused?limit=1").body().size());
    for (String limit : List.of("0", "101", "ten")) {
      assertField("limit", look("/refused?limit=" + limit));
    }
    assertField("from", look("/refused?from=yesterday"));
    assertField("to", look("/refused?to=today"));
    assertField("to", look("/refused?from=2026-01-01T00:00:00Z&to=2026-12-01T00:00:00Z"));
  }

  @Test
  default void usageIsSummedUpByEndpointAndByTier() throws SQLException {
    app().rule("gold", "/x", 10);
    app().user("ann", "gold");
    usage("ann", "/a", 3, 10, 4);
    usage("bob", "/a", 3, 5, 5);
    usage("bob", "/b", 23, 3, 3);
    usage("*", "/b", 4, 100, 90);
    JsonNode endpoints = look("/usage/endpoints?" + time()).body().path("items");
    assertEquals(
        "[{\"endpoint\":\"/b\",\"users\":1,\"requests\":103,\"refused\":2,\"permits\":101,"
            + "\"peakMinute\":3},{\"endpoint\":\"/a\",\"users\":2,\"requests\":15,\"refused\":2,"
            + "\"permits\":13,\"peakMinute\":5}]",
        endpoints.toString());
    JsonNode page = look("/usage/endpoints?limit=1&" + time()).body();
    String cursor = page.path("next").asText();
    JsonNode last = look("/usage/endpoints?limit=1&cursor=" + cursor + "&" + time()).body();
    assertEquals("/a", last.path("items").get(0).path("endpoint").asText());
    assertTrue(last.path("next").isNull());
    assertEquals(
        "[{\"tier\":\"*\",\"users\":0,\"requests\":100,\"refused\":1,\"permits\":99},"
            + "{\"tier\":\"gold\",\"users\":1,\"requests\":10,\"refused\":1,\"permits\":9},"
            + "{\"tier\":\"free\",\"users\":1,\"requests\":8,\"refused\":2,\"permits\":6}]",
        look("/usage/tiers?" + time()).body().toString());
    for (String path : List.of("/usage/endpoints", "/usage/tiers", "/usage", "/usage/ann")) {
      assertField("from", look(path + "?from=yesterday"));
      assertField("to", look(path + "?from=2026-01-01T00:00:00Z&to=2026-12-01T00:00:00Z"));
      assertField("format", look(path + "?format=xml"));
    }
    assertField("limit", look("/usage/endpoints?limit=1001"));
    assertField("limit", look("/usage/endpoints?format=csv&limit=100001"));
    assertField("cursor", look("/usage/endpoints?cursor=x"));
  }

  /** Names of callers are what callers chose. */
  @Test
  default void aFileHasEachNameAndNoFormula() throws SQLException {
    String arabic = "\u202Eمستخدم";
    List<String> names =
        List.of(
            "=HYPERLINK(\"http://evil.example\",\"click\")",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1",
            "\r=1",
            "\n=1",
            "＝1",
            " =1",
            "<script>alert(1)</script>",
            arabic,
            "a,b",
            "a\"b",
            "a\nb",
            "a'b",
            "a;=1+1",
            "a\t=1+1",
            "plain");
    for (int i = 0; i < names.size(); i++) {
      usage(names.get(i), "=1+1", 3, 100 - i, 2);
    }
    Reply file = csv("/usage?" + time());
    assertEquals(200, file.status(), () -> file.response().body());
    String type = file.header("Content-Type");
    assertTrue(type.startsWith("text/csv;"), type);
    assertTrue(type.contains("charset=UTF-8") && type.contains("header=present"), type);
    String name =
        "usage-"
            + DAY.toString().substring(0, 10)
            + "-to-"
            + DAY.plus(1, ChronoUnit.DAYS).toString().substring(0, 10)
            + ".csv";
    assertEquals("attachment; filename=\"" + name + "\"", file.header("Content-Disposition"));
    assertEquals("no-store", file.header("Cache-Control"));
    String text = file.response().body();
    List<List<String>> rows = Rfc4180.parse(text);
    assertEquals(List.of("userId", "requests", "refused", "permits"), rows.get(0));
    assertEquals(names.size() + 1, rows.size());
    for (int i = 0; i < names.size(); i++) {
      String cell = rows.get(i + 1).get(0);
      boolean isFormula = "=+-@\t\r\n＝".indexOf(names.get(i).charAt(0)) >= 0;
      String expected = names.get(i).replaceFirst("(a[;\t])=", "$1'=");
      assertEquals(isFormula ? "'" + expected : expected, cell);
      assertEquals(Integer.toString(100 - i), rows.get(i + 1).get(1));
    }
    assertTrue(text.contains(arabic) && text.contains("<script>alert(1)</script>"), text);
    // Spreadsheets of some languages separate cells by semicolons, and by tabs.
    assertTrue(text.contains("\r\n\"a;'=1+1\",") && text.contains("\r\n\"a\t'=1+1\","), text);
    List<List<String>> endpoints =
        Rfc4180.parse(look("/usage/endpoints?format=csv&" + time()).response().body());
    assertEquals("'=1+1", endpoints.get(1).get(0));
    assertEquals(
        List.of("endpoint", "users", "requests", "refused", "permits", "peakMinute"),
        endpoints.get(0));
    assertEquals(
        List.of("tier", "users", "requests", "refused", "permits"),
        Rfc4180.parse(csv("/usage/tiers?" + time()).response().body()).get(0));
    Instant hour = DAY.plus(3, ChronoUnit.HOURS);
    assertEquals(
        List.of(
            List.of("endpoint", "startsAt", "requests", "refused", "permits", "peakMinute"),
            List.of("'=1+1", hour.toString(), "83", "1", "82", "2")),
        Rfc4180.parse(csv("/usage/plain?" + time()).response().body()));
    assertEquals(
        List.of("'=1+1", hour.toString(), "89", "1", "88", "2"),
        Rfc4180.parse(csv("/user/usage?userId=a%2Cb&" + time()).response().body()).get(1));
  }

  @Test
  default void theFormatIsTheOneThatIsAskedFor() throws SQLException {
    for (int i = 0; i < 5; i++) {
      usage("user" + i, "/a", 3, 10 - i, 2);
    }
    String path = ADMIN + "/usage?" + time();
    for (Map.Entry<String, String> each :
        Map.of(
                "*/*", "application/json",
                "text/csv", "text/csv",
                "text/csv;q=0.5, application/json;q=0.4", "text/csv",
                "text/csv;q=0.4, application/json;q=0.5", "application/json",
                "text/*", "text/csv")
            .entrySet()) {
      Reply reply = app().send(app().request(path, ROOT).header("Accept", each.getKey()).GET());
      assertTrue(reply.header("Content-Type").startsWith(each.getValue()), each::getKey);
      assertEquals("Accept", reply.header("Vary"));
    }
    assertEquals(
        406, app().send(app().request(path, ROOT).header("Accept", "text/html").GET()).status());
    Reply first = look("/usage?format=csv&limit=3&" + time());
    assertEquals(4, Rfc4180.parse(first.response().body()).size());
    String link = first.header("Link");
    assertTrue(link.startsWith("<?") && link.endsWith(">; rel=\"next\""), link);
    Reply second = look("/usage" + link.substring(1, link.indexOf('>')));
    List<List<String>> rest = Rfc4180.parse(second.response().body());
    assertEquals(List.of("user3", "user4"), List.of(rest.get(1).get(0), rest.get(2).get(0)));
    assertEquals(3, rest.size());
    assertEquals("", second.header("Link"));
    Reply missing = csv("/usage?from=x");
    assertField("from", missing);
    assertEquals("application/problem+json", missing.header("Content-Type"));
  }

  private static String whatIf(String more) {
    return "{\"endpointPattern\": \"/api/*\", \"limitCount\": 10, \"windowSeconds\": 3600, "
        + "\"from\": \""
        + DAY
        + "\", \"to\": \""
        + DAY.plus(1, ChronoUnit.DAYS)
        + "\""
        + more
        + "}";
  }

  @Test
  default void aLimitIsPutAgainstWhatWasRecorded() throws SQLException {
    app().rule("gold", "/x", 10);
    app().user("ann", "gold");
    usage("ann", "/api/a", 3, 8, 4);
    usage("ann", "/api/b", 3, 8, 4);
    usage("ann", "/api/b", 4, 9, 4);
    usage("ann", "/other", 3, 500, 4);
    usage("bob", "/api/a", 3, 12, 12);
    usage("*", "/api/a", 3, 1_234, 12);
    JsonNode answer = add("/what-if", whatIf("")).body();
    assertTrue(answer.path("exact").asBoolean(), answer::toString);
    assertEquals(2, answer.path("callers").asLong());
    assertEquals(37, answer.path("requests").asLong());
    assertEquals(4, answer.path("refusedThen").asLong());
    assertEquals(8, answer.path("refusedRequests").asLong());
    assertEquals(2, answer.path("affectedCallers").asLong());
    assertEquals(17, answer.path("rolling").path("refusedRequests").asLong(), answer::toString);
    assertEquals(
        "[{\"date\":\""
            + DAY.toString().substring(0, 10)
            + "\",\"requests\":37,\"refused\":8,\"callers\":2,\"affectedCallers\":2}]",
        answer.path("days").toString());
    assertEquals(
        "[{\"userId\":\"ann\",\"requests\":25,\"refused\":6},"
            + "{\"userId\":\"bob\",\"requests\":12,\"refused\":2}]",
        answer.path("worst").toString());
    assertTrue(
        answer.path("unknown").asText().startsWith("1,234 requests of unknown callers"),
        answer::toString);
    JsonNode gold = add("/what-if", whatIf(", \"tier\": \"gold\"")).body();
    assertEquals(6, gold.path("refusedRequests").asLong());
    assertEquals(1, gold.path("callers").asLong());
    JsonNode free = add("/what-if", whatIf(", \"tier\": \"free\"")).body();
    assertEquals(2, free.path("refusedRequests").asLong());
    JsonNode get = add("/what-if", whatIf(", \"methods\": [\"get\"]")).body();
    assertFalse(get.path("exact").asBoolean());
    assertTrue(get.path("unknown").asText().contains("Methods aren't recorded"), get::toString);
    JsonNode minute = add("/what-if", whatIf("").replace("3600", "60")).body();
    assertFalse(minute.path("exact").asBoolean());
    assertEquals(1, minute.path("affectedCallers").asLong(), "bob had 12 in a minute");
    JsonNode daily =
        add("/what-if", whatIf("").replace("\"windowSeconds\": 3600", "\"period\": \"1 DAY\""))
            .body();
    assertTrue(daily.path("exact").asBoolean());
    assertEquals(15 + 2, daily.path("refusedRequests").asLong());
    assertTrue(daily.path("rolling").isNull());
  }

  @Test
  default void aLimitThatCannotBeIsRefusedByItsField() {
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry("endpointPattern", whatIf("").replace("/api/*", "api")),
            Map.entry("limitCount", whatIf("").replace(": 10,", ": 0,")),
            Map.entry("windowSeconds", whatIf("").replace("3600", "0")),
            Map.entry("countBy", whatIf(", \"countBy\": \"IP\"")),
            Map.entry("tier", whatIf(", \"tier\": \" \"")),
            Map.entry("methods[0]", whatIf(", \"methods\": [\"G T\"]")),
            Map.entry("methods", whatIf(", \"methods\": \"GET\"")),
            Map.entry("period", whatIf(", \"period\": \"1 DAY\"")),
            Map.entry("zone", whatIf(", \"zone\": \"UTC\"")),
            Map.entry("begin", whatIf("").replace("\"from\"", "\"begin\"")),
            Map.entry("from", whatIf("").replace("\"from\": \"" + DAY + "\", ", "")),
            Map.entry(
                "to", whatIf("").replace(DAY.plus(1, ChronoUnit.DAYS).toString(), DAY.toString())));
    wrong.forEach((field, json) -> assertField(field, add("/what-if", json)));
    assertField("endpointPattern", add("/what-if", whatIf("").replace("/api/*", "policy:x")));
    assertField(
        "endpointPattern",
        add(
            "/what-if",
            "{\"limitCount\": 1, \"windowSeconds\": 60, \"from\": \""
                + DAY
                + "\", \"to\": \""
                + Instant.now()
                + "\"}"));
    assertField(
        "to",
        add(
            "/what-if",
            whatIf("").replace(DAY.toString(), DAY.minus(93, ChronoUnit.DAYS).toString())));
    String period = whatIf("").replace("\"windowSeconds\": 3600", "\"period\": \"P\"");
    assertField("period", add("/what-if", period));
    assertField("period", add("/what-if", period.replace("\"P\"", "\"QUOTA\"")));
    assertField("zone", add("/what-if", period.replace("\"P\"", "\"1 DAY\", \"zone\": \"Mars\"")));
    assertField("from", add("/what-if", whatIf("").replace(DAY.toString(), "yesterday")));
  }

  @Test
  default void aUserSeesItsOwnHoursRefusalsAndTiers() throws SQLException {
    usage("ann", "/a", 3, 10, 4);
    usage("ann", "/b", 4, 5, 4);
    usage("bob", "/secret", 3, 7, 4);
    Instant noon = DAY.plus(12, ChronoUnit.HOURS);
    refusal("ann", "/a", "p1", noon, 5);
    refusal("ann", "/b", "p2", noon.plusSeconds(1), 2);
    refusal("bob", "/secret", "p3", noon, 9);
    Reply hours = app().get("/v1/dashboard/usage/hours?" + time(), "ann/");
    assertEquals(
        "[{\"startsAt\":\""
            + DAY.plus(3, ChronoUnit.HOURS)
            + "\",\"endpoint\":\"/a\",\"requests\":10,\"refused\":1,\"permits\":9},"
            + "{\"startsAt\":\""
            + DAY.plus(4, ChronoUnit.HOURS)
            + "\",\"endpoint\":\"/b\",\"requests\":5,\"refused\":1,\"permits\":4}]",
        hours.body().toString());
    Reply refusals = app().get("/v1/dashboard/refusals?" + time(), "ann/");
    assertEquals(
        "[{\"endpoint\":\"/b\",\"policy\":\"p2\",\"at\":\""
            + noon.plusSeconds(1)
            + "\",\"count\":2},{\"endpoint\":\"/a\",\"policy\":\"p1\",\"at\":\""
            + noon
            + "\",\"count\":5}]",
        refusals.body().toString());
    assertEquals(1, app().get("/v1/dashboard/refusals?limit=1&" + time(), "ann/").body().size());
    for (String path : List.of("/usage/hours", "/refusals")) {
      String own = "/v1/dashboard" + path;
      String others = app().get(own + "?userId=bob&" + time(), "ann/").response().body();
      assertFalse(others.contains("secret"), others);
      assertEquals(0, app().get(own + "?" + time(), "carol/").body().size());
      assertEquals(401, app().get(own, "").status());
      assertField("from", app().get(own + "?from=yesterday", "ann/"));
      assertField("to", app().get(own + "?to=now", "ann/"));
      for (String name : List.of("*", "ip:192.0.2.1", "sha256:00")) {
        assertEquals(403, app().get(own, name + "/").status(), name);
      }
    }
    assertField(
        "to",
        app()
            .get(
                "/v1/dashboard/usage/hours?from=" + DAY + "&to=" + DAY.plus(9, ChronoUnit.DAYS),
                "ann/"));
    assertField("limit", app().get("/v1/dashboard/refusals?limit=1001", "ann/"));
  }

  @Test
  default void aUserSeesTheTiersThatItMayAskFor() {
    app().rule("free", "/api/*", 10);
    app().rule("gold", "/api/*", 100);
    app().rule("less", "/api/*", 5);
    app().rule("*", "/api/*", 1_000);
    app().user("bob", "gold", new OwnLimit("/api/*", 70, Optional.empty()));
    JsonNode ann = app().get("/v1/dashboard/tiers", "ann/").body();
    assertEquals(
        "[{\"tier\":\"free\",\"current\":true,\"limits\":"
            + "[{\"endpoint\":\"/api/*\",\"limit\":10,\"window\":\"60s\"}]},"
            + "{\"tier\":\"gold\",\"current\":false,\"limits\":"
            + "[{\"endpoint\":\"/api/*\",\"limit\":100,\"window\":\"60s\"}]}]",
        ann.toString());
    JsonNode bob = app().get("/v1/dashboard/tiers", "bob/").body();
    List<String> tiers = new ArrayList<>();
    bob.forEach(each -> tiers.add(each.path("tier").asText()));
    assertEquals("gold", tiers.get(0), bob::toString);
    assertTrue(bob.get(0).path("current").asBoolean());
    assertEquals(70, bob.get(0).path("limits").get(0).path("limit").asLong(), "its own");
    for (String tier : tiers.subList(1, tiers.size())) {
      Reply asked =
          app()
              .send(
                  app().request("/v1/dashboard/tier/upgrade", "bob/"),
                  "POST",
                  "{\"requestedTier\": \"" + tier + "\"}");
      assertEquals(201, asked.status());
      app().rules.upgrades().withdraw(asked.body().path("id").asLong(), "bob");
    }
  }

  @Test
  default void onlyTiersThatAreOfferedAreSeenAndAskedFor() {
    try (ControlApp other = app(Map.of("weir.control.tiers", "gold, platinum"))) {
      for (String each : List.of("free", "gold", "acme", "platinum")) {
        other.rule(each, "/api/*", each.equals("free") ? 10 : 100);
      }
      JsonNode tiers = other.get("/v1/dashboard/tiers", "ann/").body();
      List<String> names = new ArrayList<>();
      tiers.forEach(each -> names.add(each.path("tier").asText()));
      assertEquals(List.of("free", "gold", "platinum"), names);
      for (String each : List.of("acme", "none")) {
        assertField(
            "requestedTier",
            other.send(
                other.request("/v1/dashboard/tier/upgrade", "ann/"),
                "POST",
                "{\"requestedTier\": \"" + each + "\"}"));
      }
    }
  }

  @Test
  default void theAccountOfAUserIsReadByABodyWithoutANameInTheAddress() throws SQLException {
    app().rule("gold", "/x", 10);
    app().user("a/b%", "gold");
    JsonNode account = add("/callers/account", "{\"userId\": \"a/b%\"}").body();
    assertEquals("gold", account.path("user").path("tier").asText(), account::toString);
    assertEquals("a/b%", account.path("quota").path("userId").asText());
    assertTrue(account.path("periods").isArray() && account.path("grants").isArray());
    assertEquals(0, account.path("usage").size());
    JsonNode nobody = add("/callers/account", "{\"userId\": \"nobody\"}").body();
    assertTrue(nobody.path("user").isNull());
    assertField("userId", add("/callers/account", "{}"));
    assertField("userId", add("/callers/account", "{\"userId\": \"\\u0000\"}"));
  }

  @Test
  default void aUsersUsageByDayCoversAtMost366Days() {
    String days = "/usage/ann?by=day&from=2028-01-01T00:00:00Z&to=";
    assertEquals(200, look(days + "2028-12-31T23:59:59Z").status());
    assertField("to", look(days + "2029-01-01T00:00:00Z"));
  }
}
