package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.seeds.RunOneIn;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests what administrators decide about users: anomalies, tiers, and what a limit would do. */
@NeedsChromium
@ExtendWith(SharedConsole.class)
@RunOneIn(value = 2, own = true)
class RequestsOfUsersTest {
  private final ConsoleServer server = SharedConsole.server();

  @Test
  void anAnomalyIsEndedAndItsCallerMayGoOn() {
    String user = SharedConsole.unique("eve");
    String path = "/api/" + user;
    server.rule("free", path, 1_000, "ENFORCED");
    Await.until("the rule holds", () -> !server.caller(user).path("buckets").isEmpty());
    OffsetDateTime now = Instant.now().atOffset(ZoneOffset.UTC);
    server.sql(
        "INSERT INTO weir.anomalies (user_id, endpoint, score, action, reason, since, until) VALUES (?,"
            + " ?, 9.5, 'BLOCK', 'of the test', ?, ?)",
        user,
        path,
        now.minusSeconds(1),
        now.plusMinutes(10));
    Await.until("it is blocked", () -> !server.check(user, path));
    Browser browser = SharedConsole.administrator("/anomalies");
    browser.awaitText("#anomalies", user);
    browser.awaitText("#anomalies tr[data-key^='" + user + " ']", "Refused");
    browser.awaitText("#anomalies tr[data-key^='" + user + " ']", "9.5");
    browser.click("[data-end='" + user + "']");
    browser.awaitText("#end-anomaly", user);
    browser.click("#end-anomaly-yes");
    Await.until("it may go on", () -> server.check(user, path));
    browser.awaitGone("[data-end='" + user + "']");
    browser.choose("#filter-which", "all");
    browser.awaitText("#anomalies tr[data-key^='" + user + " ']", "Ended");
    browser.assertNoFaults("anomalies");
  }

  @Test
  void anUpgradeIsAskedForTakenBackDeclinedAndApprovedWithAWord() {
    String user = SharedConsole.unique("asking");
    Browser own = SharedConsole.second("user", user, "/me/upgrade");
    own.click("[data-ask='gold']");
    own.type("#ask-reason", "We grow");
    own.click("#ask-save");
    own.awaitText("#my-requests", "Waiting");
    own.click("[data-withdraw]");
    own.click("#withdraw-yes");
    own.awaitText("#my-requests", "Withdrawn");

    decide(own, user, "#decline", "Not this month", "Declined");
    decide(own, user, "#decide-save", "Welcome to gold", "Approved");
    Await.until(
        "the tier is that of the request",
        () -> server.caller(user).path("tier").asText().equals("gold"));
    own.show("/me", "me");
    own.awaitText("#my-tiles", "gold");
    own.assertNoFaults("asking for a tier");
  }

  private void decide(Browser own, String user, String button, String word, String state) {
    own.show("/me/upgrade", "meupgrade");
    own.click("[data-ask='gold']");
    own.click("#ask-save");
    own.awaitText("#my-requests li", "Waiting");
    Browser browser = SharedConsole.administrator("/upgrades");
    browser.awaitText("#upgrades", user);
    JsonNode pending = pendingOf(user);
    browser.click("[data-decide='" + pending.path("id").asText() + "']");
    browser.awaitText("#decide", user);
    browser.awaitText("#lowered", "No limit would be lower");
    browser.type("#upgrade-answer", word);
    browser.click(button);
    browser.awaitGone("#decide");
    browser.awaitGone("[data-decide='" + pending.path("id").asText() + "']");
    own.show("/me/upgrade", "meupgrade");
    own.awaitText("#my-requests li", state);
    own.awaitText("#my-requests li", word);
    browser.assertNoFaults("upgrades");
  }

  private JsonNode pendingOf(String user) {
    for (JsonNode each : server.get("/upgrades?status=PENDING").path("items")) {
      if (each.path("userId").asText().equals(user)) {
        return each;
      }
    }
    throw new AssertionError("nothing of " + user + " waits");
  }

  @Test
  void usageAsCsvHasNoFormula() {
    for (String each : List.of("=HYPERLINK(1)", "+1", "-1", "@SUM(1)")) {
      server.check(each, "/api/posts");
    }
    Browser browser = SharedConsole.administrator("/usage?by=user");
    browser.await("#usage-csv");
    Await.until(
        "the callers are in the CSV, as text",
        () -> {
          String csv =
              browser.read(
                  (String) browser.run("return document.querySelector('#usage-csv').href;"));
          assertFalse(csv.lines().anyMatch(each -> each.matches("\"?[=+@-].*")), csv);
          browser.run("dispatchEvent(new HashChangeEvent('hashchange'));");
          return csv.contains("'=HYPERLINK(1)")
              && csv.contains("'+1")
              && csv.contains("'-1")
              && csv.contains("'@SUM(1)");
        });
    for (String by : List.of("endpoint", "tier")) {
      browser.click("#usage-by-" + by);
      browser.awaitText("#usage-list-title", "By " + by);
      String csv =
          browser.read((String) browser.run("return document.querySelector('#usage-csv').href;"));
      assertTrue(csv.startsWith(by + ","), csv);
      assertFalse(csv.lines().anyMatch(each -> each.matches("\"?[=+@-].*")), csv);
    }
  }

  @Test
  void whatIfSaysWhatTheApiSays() {
    Browser browser = SharedConsole.administrator("/what-if");
    browser.type("#endpointPattern", "/api/search");
    browser.choose("#algorithm", "FIXED_WINDOW");
    browser.type("#limitCount", "100");
    browser.type("#windowSeconds", "1");
    browser.choose("#window-unit", "3600");
    browser.choose(
        "#to",
        (String)
            browser.run(
                "const d = new Date(Date.now() - 3600e3); d.setMinutes(0, 0, 0);"
                    + " return new Date(d - d.getTimezoneOffset() * 60e3).toISOString().slice(0, 16);"));
    browser.click("#what-if-ask");
    browser.await("#what-if-tiles");
    JsonNode exact = asked(browser);
    assertTrue(exact.path("exact").asBoolean(), exact::toString);
    assertTrue(exact.path("refusedRequests").asLong() > 0, exact::toString);
    String refused = String.format(Locale.ROOT, "%,d", exact.path("refusedRequests").asLong());
    assertEquals(refused, browser.text("#what-if-refused").trim());
    assertEquals(exact.path("affectedCallers").asText(), browser.text("#what-if-callers").trim());
    browser.awaitText("#view", "Exact, by whole hours.");
    browser.awaitText("#worst", exact.path("worst").get(0).path("userId").asText());

    browser.choose("#window-unit", "60");
    browser.click("#what-if-ask");
    browser.awaitText("#what-if-result", "An upper bound.");
    JsonNode bound = asked(browser);
    assertFalse(bound.path("exact").asBoolean(), bound::toString);
    browser.awaitText("#what-if-refused", "at most");
    browser.awaitText("#what-if-result", bound.path("unknown").asText());
    browser.assertFlawless("what if");

    browser.type("#limitCount", "0");
    browser.click("#what-if-ask");
    Await.until("the mistake is at its field", () -> !browser.text("#limitCount-error").isEmpty());
    browser.assertNoFaults("what if with a mistake");
  }

  @Test
  void whatIfSaysHowManyOfTheCallersThatItHitsAreNamed() {
    Instant hour = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(2));
    for (Instant start : List.of(hour, hour.truncatedTo(ChronoUnit.DAYS))) {
      server.sql(
          "INSERT INTO weir."
              + (start.equals(hour) ? "usage_hourly" : "usage_daily")
              + " (user_id, endpoint, starts_at, requests, refused, permits, peak_minute)"
              + " SELECT 'crowd' || x, '/api/crowd', ?, 100, 0, 100, 100 FROM SYSTEM_RANGE(1, 66)",
          start.atOffset(ZoneOffset.UTC));
    }
    String limit = "/what-if?endpointPattern=/api/crowd&limitCount=10&windowSeconds=3600";
    Browser browser = SharedConsole.administrator(limit + "&algorithm=FIXED_WINDOW");
    browser.awaitText("#what-if-named", "20 of 66 are named.");
    browser.show(limit, "whatif");
    browser.awaitText(
        "#what-if-named",
        "20 of at most 66 are named: those that a fixed window would have hit most.");
  }

  /** Asks the API the same as the page has, whose address says it. */
  private JsonNode asked(Browser browser) {
    return server.put(
        "POST",
        ConsoleServer.ADMIN + "/what-if",
        (String)
            browser.run(
                "const q = Object.fromEntries(new URLSearchParams(location.hash.split('?')[1]));"
                    + " return JSON.stringify({endpointPattern: q.endpointPattern, countBy: 'USER',"
                    + " limitCount: Number(q.limitCount), windowSeconds: Number(q.windowSeconds),"
                    + " from: q.from, to: q.to});"));
  }
}
