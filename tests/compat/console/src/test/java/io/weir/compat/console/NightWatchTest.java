package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests what somebody on call asks the console: who is refused, what changed, did it help. */
@NeedsChromium
class NightWatchTest {
  private static ConsoleServer server;
  private static Browser browser;

  @BeforeAll
  static void start() {
    server = new ConsoleServer();
    browser = new Browser(server.url());
    browser.signIn(server.secret("on call", "weir-admin"), "/");
  }

  @AfterAll
  static void stop() {
    Closing.inOrder(browser, server);
  }

  private static OffsetDateTime at(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  private static void refusal(String user, Duration ago, int count) {
    server.sql(
        "INSERT INTO weir.rate_limit_violations (user_id, endpoint, timestamp, attempted_count, policy)"
            + " VALUES (?, '/api/watched', ?, ?, 'api.watched-60s')",
        user,
        at(Instant.now().minus(ago)),
        count);
  }

  @Test
  void aCallerThatIsRefusedOnAndOffIsNotShownAsWell() {
    server.rule("free", "/api/watched", 50, "ENFORCED");
    refusal("carol", Duration.ofSeconds(20), 3);
    refusal("carol", Duration.ofSeconds(50), 4);
    refusal("dave", Duration.ofHours(3), 9);
    browser.show("/callers/user/carol", "callers");
    browser.awaitText("#caller-summary", "Refused on and off: 7 times in the last 5 minutes");
    browser.awaitText("#caller-buckets-table", "50 of 50 per minute left");
    browser.click("#refusals button");
    browser.awaitText("#tried", "3 requests to /api/watched were refused at ");
    browser.awaitText("#tried", "gives this caller 50 per minute. Such a request now:");
    browser.awaitText("#tried", "It would be admitted");
    browser.assertFlawless("a caller that is refused on and off");
    browser.show("/callers/user/dave", "callers");
    browser.awaitText("#caller-summary", "Not refused at the moment. Last at ");
  }

  @Test
  void aCallerOfWhichNothingIsKnownIsNotShownAsWell() {
    server.rule("free", "/api/seen", 50, "ENFORCED");
    for (String each : List.of("user/nobody-of-this-name", "ip/192.0.2.99")) {
      browser.show("/callers/" + each, "callers");
      browser.awaitText("#caller-summary", each.startsWith("user") ? "Never seen." : "Not seen.");
      assertFalse(browser.has("#caller-summary .good, #caller-buckets-table .good"), each);
    }
    server.check("once", "/api/seen");
    browser.show("/callers/user/once", "callers");
    browser.awaitText("#caller-summary", "Not refused at the moment.");
    assertTrue(browser.has("#caller-buckets-table .good"));
  }

  @Test
  void aChangeOfACostSaysOfWhat() {
    server.put(
        "POST",
        ConsoleServer.ADMIN + "/costs",
        "{\"endpoint\": \"/api/dear\", \"method\": \"POST\", \"cost\": 7}");
    browser.show("/changes?table=operation_costs", "changes");
    browser.awaitText("#changes", "Cost added POST /api/dear (7 permits)");
  }

  @Test
  void aUsersRefusalsAreSummedByMinuteOrEndpoint() {
    Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES).minusSeconds(600);
    for (int second : new int[] {10, 40, 70}) {
      refusal("erin", Duration.between(minute.plusSeconds(second), Instant.now()), second);
    }
    try (Browser user = new Browser(server.url())) {
      user.signIn(server.token("erin's", "user", "erin").secret(), "/me/refusals");
      Await.until("a line a minute", () -> user.count("#my-refusals tbody tr") == 2);
      user.awaitText("#my-refusals tbody tr:last-child", "50");
      user.awaitText("#my-refusals tbody tr:first-child", "70");
      user.choose("#filter-by", "endpoint");
      Await.until("a line an endpoint", () -> user.count("#my-refusals tbody tr") == 1);
      user.awaitText("#my-refusals tbody tr", "120");
      user.awaitText(".found", "120 requests refused");
      user.phone();
      user.assertFlawless("my refusals");
    }
  }

  /** A row that repeats the key of another takes its place, so a list would lack one of them. */
  @Test
  void aTableOfWhichTwoRowsHaveOneKeyFailsTheTest() {
    Browser other = new Browser(server.url());
    other.load("/");
    other.await("#token");
    Object made =
        other
            .driver()
            .executeAsyncScript(
                "const done = arguments[0]; import('./js/table.js').then(({table}) => table({id: 'odd',"
                    + " caption: '', columns: [], key: row => row}).update(['one', 'one']))"
                    + ".then(() => done('made'), e => done('' + e));");
    AssertionError failed = assertThrows(AssertionError.class, other::close);
    assertEquals("made", made);
    assertTrue(failed.getMessage().contains("odd: two rows are one"), failed::getMessage);
  }

  @Test
  void theLimitsOfATierChangeTogetherFromATimeOn() {
    long posts = server.rule("premium", "/api/posts", 100, "ENFORCED");
    server.rule(
        JsonNodeFactory.instance
            .objectNode()
            .put("tier", "premium")
            .put("endpointPattern", "/api/quick")
            .put("limitCount", 7)
            .put("refill", 4)
            .put("windowSeconds", 60)
            .put("algorithm", "TOKEN_BUCKET")
            .put("state", "ENFORCED"));
    long draft = server.rule("premium", "/api/draft", 5, "DRAFT");
    long other = server.rule("silver", "/api/posts", 50, "ENFORCED");
    long quota =
        server.rule(
            JsonNodeFactory.instance
                .objectNode()
                .put("tier", "premium")
                .put("endpointPattern", "/api/monthly")
                .put("limitCount", 900)
                .put("period", "QUOTA")
                .put("state", "ENFORCED"));
    server.send(
        "PUT",
        ConsoleServer.ADMIN + "/users/penny",
        "{\"tier\": \"premium\", \"customLimits\": {\"/api/posts\": 500}}");
    server.send("PUT", ConsoleServer.ADMIN + "/users/paul", "{\"tier\": \"premium\"}");
    server.send("PUT", ConsoleServer.ADMIN + "/users/paul/quota", "{\"monthlyLimit\": 7}");
    server.send("PUT", ConsoleServer.ADMIN + "/users/prim", "{\"tier\": \"premium\"}");
    for (int i = 0; i < 9; i++) {
      server.send(
          "PUT",
          ConsoleServer.ADMIN + "/users/p" + i,
          "{\"tier\": \"premium\", \"customLimits\": {\"/api/posts\": 500}}");
    }
    browser.show("/rules?tier=premium", "rules");
    browser.click("#change-tier");
    browser.await("#tier-name");
    assertEquals("", browser.value("#tier-name"), "nobody changes a tier by Enter alone");
    browser.awaitText("#tier-validFrom-hint", "Local time, ");
    browser.click("#tier-save");
    browser.awaitText("#tier-name-error", "Must be chosen.");
    browser.choose("#tier-name", "premium");
    browser.awaitText("#tier-preview", "/api/posts: 100 → 200 per minute");
    for (String each : List.of("", "0", "-2")) {
      browser.choose("#tier-factor", each);
      Await.until("nothing to see", () -> browser.text("#tier-preview").isEmpty());
      browser.click("#tier-save");
      browser.awaitText("#tier-factor-error", "Must be more than 0.");
      assertFalse(server.get("/rules/" + posts).hasNonNull("validUntil"), each);
    }
    browser.type("#tier-factor", "1.5");
    browser.awaitText("#tier-preview", "/api/posts: 100 → 150 per minute");
    browser.awaitText("#tier-preview", "/api/quick: 7 → 11 per minute");
    browser.awaitText(
        "#tier-kept",
        "Users who keep limits or quotas of their own: p0, p1, p2, p3, p4, p5, p6, p7, p8, paul and"
            + " 1 more.");
    browser.awaitText("#tier-kept", "aren’t enforced");
    browser.assertFlawless("a tier that is changed");
    browser.click("#tier-save");
    browser.awaitGone("#tier-preview");

    JsonNode before = server.get("/rules/" + posts);
    assertEquals(100, before.path("limitCount").asLong(), "until then");
    String start = before.path("validUntil").asText();
    assertTrue(Instant.parse(start).isAfter(Instant.now()), start);
    List<Long> later = new ArrayList<>();
    for (JsonNode each : server.get("/rules").path("items")) {
      if (each.path("validFrom").asText().equals(start)) {
        assertEquals("premium", each.path("tier").asText());
        later.add(each.path("limitCount").asLong());
        boolean isRefilled = each.path("endpointPattern").asText().equals("/api/quick");
        assertEquals(isRefilled ? 6 : 0, each.path("refill").asLong(), "half as much again");
      }
    }
    later.sort(null);
    assertEquals(List.of(11L, 150L, 1350L), later);
    assertFalse(server.get("/rules/" + draft).hasNonNull("validUntil"), "a draft");
    assertFalse(server.get("/rules/" + other).hasNonNull("validUntil"), "another tier");
    browser.awaitText("#rules", "From ");
    browser.awaitText("#rules", "Until ");

    browser.show("/policies/" + before.path("name").asText(), "policy");
    browser.awaitText("#policy-scheduled", "150 per minute for tier premium");
    browser.awaitText("#policy-scheduled", "From ");
    browser.assertFlawless("a policy that is to change");
    browser.show("/rules", "rules");
    browser.awaitText("#scheduled", "3 limits of premium will change at ");
    browser.click("[data-back=premium]");
    browser.awaitText("#take-back", "/api/posts: 150 → 100 per minute");
    browser.assertFlawless("a change that is taken back");
    browser.click("#take-back-yes");
    Await.until(
        "all is as it was",
        () -> {
          for (JsonNode each : server.get("/rules?tier=premium").path("items")) {
            if (each.hasNonNull("validFrom") || each.hasNonNull("validUntil")) {
              return false;
            }
          }
          return true;
        });
    assertEquals(100, server.get("/rules/" + posts).path("limitCount").asLong());
    for (JsonNode each :
        server.get("/changes?table=rate_limit_rules&rowKey=" + quota).path("items")) {
      assertFalse(each.path("after").hasNonNull("window_seconds"), each::toString);
    }
    browser.awaitGone("[data-back]");
  }

  private static long timed(String method, long limit, String from, String until) {
    ObjectNode rule =
        JsonNodeFactory.instance
            .objectNode()
            .put("tier", "gold")
            .put("endpointPattern", "/api/twice")
            .put("limitCount", limit)
            .put("windowSeconds", 60)
            .put("state", "ENFORCED")
            .put("validFrom", from)
            .put("validUntil", until);
    rule.putArray("methods").add(method);
    return server.rule(rule);
  }

  @Test
  void aChangeThatHasBegunIsTakenBackInPlace() {
    String start = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(3_600).toString();
    long oldGet = timed("GET", 10, null, start);
    long oldPost = timed("POST", 30, null, start);
    long newPost = timed("POST", 60, start, null);
    long newGet = timed("GET", 20, start, null);
    browser.show("/rules", "rules");
    browser.awaitText("#scheduled", "2 limits of gold changed at ");
    browser.click("[data-back=gold]");
    browser.awaitText("#take-back", "/api/twice: 60 → 30 per minute");
    browser.awaitText("#take-back", "/api/twice: 20 → 10 per minute");
    browser.click("#take-back-yes");
    browser.awaitGone("[data-back=gold]");
    Map<Long, Long> limits = Map.of(oldGet, 10L, oldPost, 30L, newGet, 10L, newPost, 30L);
    limits.forEach(
        (rule, limit) ->
            assertEquals(limit, server.get("/rules/" + rule).path("limitCount").asLong()));
    for (long each : List.of(newGet, newPost)) {
      JsonNode rule = server.get("/rules/" + each);
      assertEquals(start, rule.path("validFrom").asText());
      assertFalse(rule.hasNonNull("validUntil"), rule::toString);
    }
    assertEquals("POST", server.get("/rules/" + newPost).path("methods").path(0).asText());
  }

  /** Answers requests that fit a condition itself, as something in front of Weir could. */
  private static void answer(String condition, int status, String type) {
    browser.run(
        "window.realFetch ??= window.fetch;"
            + " window.fetch = (url, options) => { const method = options?.method; return "
            + condition
            + " ? Promise.resolve(new Response('{\"detail\": \"It is away.\"}', {status: "
            + status
            + ", headers: {'Content-Type': '"
            + type
            + "'}})) : realFetch(url, options); };");
  }

  @Test
  void ofAScheduleThatFailsNothingIsDone() {
    long id =
        server.rule(
            JsonNodeFactory.instance
                .objectNode()
                .put("tier", "bronze")
                .put("endpointPattern", "/api/half")
                .put("limitCount", 2)
                .put("burst", 5)
                .put("windowSeconds", 60)
                .put("algorithm", "TOKEN_BUCKET")
                .put("state", "ENFORCED"));
    browser.show("/rules?tier=bronze", "rules");
    browser.click("#change-tier");
    browser.choose("#tier-name", "bronze");
    browser.type("#tier-factor", "1.2");
    browser.awaitText("#tier-preview", "/api/half: 2 → 2 per minute");
    answer("method === 'POST'", 503, "application/problem+json");
    browser.click("#tier-save");
    browser.awaitText("#tier", "It is away.");
    assertFalse(server.get("/rules/" + id).hasNonNull("validUntil"));
    browser.run("window.fetch = realFetch;");
    browser.click("#tier-save");
    browser.awaitGone("#tier");
    assertTrue(server.get("/rules/" + id).hasNonNull("validUntil"), "only its burst changes");
    browser.click("[data-back=bronze]");
    browser.click("#take-back-yes");
    browser.awaitGone("[data-back=bronze]");
    assertFalse(server.get("/rules/" + id).hasNonNull("validUntil"));
  }

  @Test
  void whatTheApplicationAnswersToSomebodySignedInAsksForNoSignIn() {
    for (int status : new int[] {200, 401, 403}) {
      answer("url.includes('/admin/')", status, "text/html");
      browser.show("/rules", "rules");
      browser.awaitText("#view", "The application answered this itself, not Weir.");
      assertFalse(browser.has("#session-ended"), "status " + status);
      browser.run("window.fetch = realFetch;");
    }
  }

  @Test
  void differencesStayOpenWhileOthersChangeRules() {
    server.rule("free", "/api/first", 20, "ENFORCED");
    browser.show("/changes", "changes");
    browser.awaitText("#changes", "Rule added /api/first (free, 20 per minute) by ");
    browser.click("#changes li:first-child summary");
    browser.await("#changes details[open] table");
    server.rule("free", "/api/second", 30, "ENFORCED");
    browser.awaitText("#changes li:first-child", "Rule added /api/second (free, 30 per minute)");
    assertTrue(browser.has("#changes details[open] table"), "what was open stays open");
  }

  @Test
  void aPolicySaysWhetherItsLastChangeHelped() {
    long id = server.rule("free", "/api/helped", 20, "ENFORCED");
    Instant now = Instant.now().truncatedTo(ChronoUnit.HOURS);
    Instant changed = now.minus(Duration.ofMinutes(270));
    server.sql(
        "UPDATE weir.rule_changes SET at = ? WHERE table_name = 'rate_limit_rules' AND row_key = ?",
        at(changed),
        String.valueOf(id));
    String policy = server.get("/rules/" + id).path("name").asText();
    for (int hour = 9; hour > 0; hour--) {
      Instant startsAt = now.minus(Duration.ofHours(hour));
      int refused = startsAt.isBefore(changed.minus(Duration.ofMinutes(30))) ? 30 : 5;
      server.sql(
          "INSERT INTO weir.weir_outcomes_hourly VALUES (?, ?, ?, ?, 0, 0, 0)",
          policy,
          at(startsAt),
          100 - refused,
          refused);
    }
    browser.show("/policies/" + policy, "policy");
    browser.awaitText("#policy-hours-since", "5.0 % were refused; in as many hours before it 30 %");
    browser.assertFlawless("a policy that was changed");

    server.send(
        "PUT",
        ConsoleServer.ADMIN + "/switches/" + policy,
        "{\"state\": \"SHADOW\", \"until\": \"%s\", \"reason\": \"a test\"}"
            .formatted(Instant.now().plusSeconds(3_600)));
    browser.show("/policies/" + policy, "policy");
    browser.awaitText(
        "#policy-hours-since", "it is too early to say; in as many hours before it 5.0 %");
    server.sql(
        "UPDATE weir.rule_changes SET at = ? WHERE table_name = 'switches' AND row_key = ?",
        at(now.minus(Duration.ofMinutes(150))),
        policy);
    browser.show("/policies/" + policy, "policy");
    browser.awaitText("#policy-hours-since", "5.0 % were refused; in as many hours before it ");
    assertEquals(
        now.minus(Duration.ofMinutes(150)).toString(),
        browser
            .run("return document.querySelector('#policy-hours-since time').dateTime;")
            .toString()
            .replace(".000Z", "Z"));
  }
}
