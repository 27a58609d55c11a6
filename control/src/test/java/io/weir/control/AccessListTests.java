package io.weir.control;

import static io.weir.control.AdminRequests.assertField;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.control.ControlApp.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Entries of the access list over HTTP. */
interface AccessListTests extends AdminRequests {
  String DENY_ALICE =
      "{\"action\": \"DENY\", \"subject\": \"user:alice\", \"reason\": \"guesses passwords\"}";

  private boolean isDenied(String check) {
    app().rules.refresh();
    return app().check(check).body().path("denied").asBoolean();
  }

  private long added(String json) {
    Reply added = add("/access", json);
    assertEquals(201, added.status(), () -> added.body().toString());
    return added.body().path("id").asLong();
  }

  @Test
  default void anEntryIsAddedReadReplacedAndLifted() {
    Reply added = add("/access", DENY_ALICE);
    assertEquals(201, added.status(), () -> added.body().toString());
    long id = added.body().path("id").asLong();
    assertEquals("\"1\"", added.header("ETag"));
    assertTrue(added.header("Location").endsWith("/v1/admin/ratelimit/access/" + id));
    assertEquals("ENFORCED", added.body().path("state").asText());
    assertEquals("root", added.body().path("updatedBy").asText());
    assertTrue(isDenied(DecideTests.ALICE));

    Reply read = look("/access/" + id);
    assertEquals("user:alice", read.body().path("subject").asText());
    assertEquals("guesses passwords", read.body().path("reason").asText());
    String shadow = read.body().toString().replace("ENFORCED", "SHADOW");
    assertEquals(428, put("/access/" + id, "", shadow).status());
    Reply put = put("/access/" + id, "\"1\"", shadow);
    assertEquals(200, put.status(), () -> put.body().toString());
    assertEquals("\"2\"", put.header("ETag"));
    assertFalse(isDenied(DecideTests.ALICE), "a shadow only measures");
    Reply late = put("/access/" + id, "\"1\"", shadow);
    assertEquals(409, late.status());
    assertEquals(2, late.body().path("version").asLong());

    assertEquals(428, delete("/access/" + id, "").status());
    assertEquals(409, delete("/access/" + id, "1").status());
    assertEquals(204, delete("/access/" + id, "2").status());
    assertEquals(404, look("/access/" + id).status());
    assertEquals(404, delete("/access/" + id, "2").status());
  }

  @Test
  default void anEntryEndsAtItsTime() {
    String end = app().ticker.instant().plusSeconds(60).toString();
    added(DENY_ALICE.replace("}", ", \"validUntil\": \"" + end + "\"}"));
    assertTrue(isDenied(DecideTests.ALICE));
    app().ticker.advance(Duration.ofSeconds(60));
    assertFalse(isDenied(DecideTests.ALICE));
    assertEquals(end, look("/access").body().at("/items/0/validUntil").asText());
  }

  @Test
  default void operatorsSeeWhichEntryDecidesAndTheCallerOnlyThatOneDoes() {
    app().rule("free", "/api/posts", 5);
    added(DENY_ALICE);
    assertTrue(isDenied(DecideTests.ALICE));
    JsonNode why = app().post("/v1/ratelimit/explain", DecideTests.ALICE).body();
    assertEquals("user:alice", why.at("/access/0/subject").asText(), why::toString);
    assertEquals("guesses passwords", why.at("/access/0/reason").asText());
    assertTrue(why.at("/decision/denied").asBoolean(), why::toString);
    assertFalse(why.at("/policies/0/holds").asBoolean(), why::toString);
    assertTrue(why.at("/policies/0/reason").asText().contains("denies"), why::toString);
    JsonNode caller = look("/callers?userId=alice").body();
    assertEquals("DENY", caller.at("/access/0/action").asText(), caller::toString);
    assertEquals(0, caller.path("buckets").size());
    Reply own = app().get("/v1/dashboard/status", "alice/");
    assertEquals("DENY", own.body().path("access").asText(), own.response()::body);
    assertFalse(own.response().body().contains("guesses"), own.response()::body);
    assertTrue(app().get("/v1/dashboard/status", "bob/").body().path("access").isNull());
  }

  @Test
  default void anAllowedCallerIsNotRefusedAndCountedIfTheEntrySaysSo() {
    app().rule("free", "/api/posts", 1);
    long id = added("{\"action\": \"ALLOW\", \"subject\": \"user:alice\"}");
    assertFalse(isDenied(DecideTests.ALICE));
    JsonNode passed = app().check(DecideTests.ALICE).body();
    assertTrue(passed.path("allowed").asBoolean() && !passed.path("matched").asBoolean());
    JsonNode why = app().post("/v1/ratelimit/explain", DecideTests.ALICE).body();
    assertEquals("ALLOW", why.at("/access/0/action").asText(), why::toString);
    assertTrue(why.path("allowed").asBoolean(), why::toString);
    assertTrue(why.at("/policies/0/reason").asText().contains("lets"), why::toString);
    Reply counted =
        put(
            "/access/" + id,
            "1",
            "{\"action\": \"ALLOW\", \"subject\": \"user:alice\", \"counted\": true}");
    assertEquals(200, counted.status(), () -> counted.body().toString());
    assertFalse(isDenied(DecideTests.ALICE));
    JsonNode measured = app().check(DecideTests.ALICE).body();
    assertTrue(measured.path("allowed").asBoolean(), measured::toString);
    assertTrue(measured.at("/policies/0/wouldRefuse").asBoolean(), measured::toString);
  }

  @Test
  default void aLiftedEntryComesBackOutOfTheHistory() {
    long id = added(DENY_ALICE);
    delete("/access/" + id, "1");
    assertFalse(isDenied(DecideTests.ALICE));
    JsonNode changes = look("/changes?table=access_list&rowKey=" + id).body().path("items");
    assertEquals(2, changes.size());
    Reply restored = add("/changes/" + changes.get(1).path("number").asLong() + "/restore", "{}");
    assertEquals(204, restored.status(), () -> restored.body().toString());
    assertTrue(isDenied(DecideTests.ALICE));
  }

  @Test
  default void aKeyIsKeptByItsDigestAlone() {
    Reply added = add("/access", "{\"action\": \"DENY\", \"apiKey\": \"k-4711\"}");
    assertEquals(201, added.status(), () -> added.body().toString());
    assertFalse(added.response().body().contains("k-4711"), added.response()::body);
    String digest = AccessSubject.keyOf("k-4711").toString();
    assertEquals(digest, added.body().path("subject").asText());
    assertTrue(isDenied("{\"apiKey\": \"k-4711\", \"endpoint\": \"/a\"}"));
    assertFalse(isDenied("{\"apiKey\": \"k-4712\", \"endpoint\": \"/a\"}"));
    assertEquals(1, look("/access?subject=" + digest).body().path("items").size());
    assertField(
        "apiKey",
        add("/access", "{\"action\": \"DENY\", \"apiKey\": \"k\", \"subject\": \"user:al\"}"));
  }

  /** Bans a caller, as a node does, and waits until that is written. */
  private JsonNode ban(String subject, Instant end) {
    app()
        .rules
        .policySource()
        .accessList()
        .orElseThrow()
        .ban(
            AccessEntry.ban(AccessSubject.parse(subject), end)
                .withReason("5 strikes by login within 10 minutes"),
            "login");
    JsonNode found = look("/access?subject=" + subject).body().path("items");
    while (found.isEmpty()) { // until its batch is written
      found = look("/access?subject=" + subject).body().path("items");
    }
    app().rules.refresh();
    return found.path(0);
  }

  /** Late enough by the clock of the database as well, which no test moves. */
  private static Instant tomorrow() {
    return Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
  }

  @Test
  @Timeout(300)
  default void aBanByOnePolicyIsListedExplainedAndLifted() {
    app().rule("free", "/api/posts", 5);
    String subject = "policy:login:user:alice";
    Instant end = tomorrow();
    long id = ban(subject, end).path("id").asLong();
    added(DENY_ALICE.replace("alice", "mallory"));
    JsonNode bans = look("/access?action=BAN").body().path("items");
    assertEquals(1, bans.size(), bans::toString);
    assertEquals("BAN", bans.at("/0/action").asText());
    assertEquals("login", bans.at("/0/policy").asText());
    assertEquals(end.toString(), bans.at("/0/validUntil").asText());
    assertEquals(1, look("/access?action=DENY").body().path("items").size());

    JsonNode why = app().post("/v1/ratelimit/explain", DecideTests.ALICE).body();
    assertEquals(subject, why.at("/access/0/subject").asText(), why::toString);
    assertTrue(why.at("/policies/0/holds").asBoolean(), "other policies decide as before");
    JsonNode caller = look("/callers?userId=alice").body();
    assertEquals("BAN", caller.at("/access/0/action").asText(), caller::toString);
    assertEquals(1, caller.path("buckets").size(), caller::toString);
    JsonNode own = app().get("/v1/dashboard/status", "alice/").body();
    assertEquals("login", own.at("/bans/0/policy").asText(), own::toString);
    assertEquals(end.toString(), own.at("/bans/0/until").asText(), own::toString);
    assertTrue(own.at("/bans/0/reason").asText().contains("5 strikes"), own::toString);
    assertTrue(own.path("access").isNull() && own.path("rateLimits").size() == 1, own::toString);
    assertEquals(0, app().get("/v1/dashboard/status", "bob/").body().path("bans").size());

    assertField("id", put("/access/" + id, "1", DENY_ALICE));
    assertEquals(428, delete("/access/" + id, "").status());
    String version = look("/access/" + id).header("ETag");
    assertEquals(204, delete("/access/" + id, version).status());
    assertEquals(0, look("/access?action=BAN").body().path("items").size());
    app().rules.refresh();
    assertEquals(0, look("/callers?userId=alice").body().path("access").size());
  }

  @Test
  @Timeout(300)
  default void aCallerThatIsBannedFromTheApplicationIsRefusedUntilTheEnd() {
    app().rule("free", "/api/posts", 5);
    Instant end = tomorrow();
    ban("user:alice", end);
    long wait = Duration.between(app().ticker.instant(), end).toSeconds();
    JsonNode refused = app().check(DecideTests.ALICE).body();
    assertFalse(refused.path("allowed").asBoolean(), refused::toString);
    assertTrue(refused.path("banned").asBoolean() && !refused.path("denied").asBoolean());
    assertEquals(wait, refused.path("retryAfter").asLong(), refused::toString);
    Reply status = app().post("/v1/ratelimit/check?status=true", DecideTests.ALICE);
    assertEquals(429, status.status());
    assertEquals(Long.toString(wait), status.header("Retry-After"));
    JsonNode why = app().post("/v1/ratelimit/explain", DecideTests.ALICE).body();
    assertEquals("user:alice", why.at("/access/0/subject").asText(), why::toString);
    assertEquals(1, why.path("access").size(), why::toString);
    assertFalse(why.at("/policies/0/holds").asBoolean(), why::toString);
    assertTrue(why.at("/policies/0/reason").asText().contains("banned"), why::toString);
    JsonNode own = app().get("/v1/dashboard/status", "alice/").body();
    assertEquals("BAN", own.path("access").asText(), own::toString);
    assertTrue(own.at("/bans/0/policy").isNull(), own::toString);
  }

  @Test
  default void mistakesAreToldByTheirFields() {
    Reply ban = add("/access", DENY_ALICE.replace("DENY", "BAN"));
    assertField("action", ban);
    assertTrue(ban.body().path("rule").asText().contains("made by Weir"), ban.body()::toString);
    assertField("action", add("/access", "{\"subject\": \"user:alice\"}"));
    assertField("subject", add("/access", "{\"action\": \"DENY\"}"));
    for (String subject :
        new String[] {
          "alice", "user:", "0.0.0.0/0", "key:k-4711", "resolver:a", "policy:login:user:alice"
        }) {
      Reply wrong = add("/access", DENY_ALICE.replace("user:alice", subject));
      assertField("subject", wrong);
      assertTrue(wrong.body().path("rule").asText().startsWith("must"), wrong.body()::toString);
    }
    assertField("counted", add("/access", DENY_ALICE.replace("}", ", \"counted\": true}")));
    assertField("reason", add("/access", DENY_ALICE.replace("guesses", "x".repeat(501))));
    assertField("state", add("/access", DENY_ALICE.replace("}", ", \"state\": \"DRAFT\"}")));
    assertField("validUntil", add("/access", DENY_ALICE.replace("}", ", \"validUntil\": \"1\"}")));
    assertField("action", look("/access?action=SHUT"));
    assertField("subject", look("/access?subject=alice"));
    assertEquals(0, look("/access").body().path("items").size());
  }

  @Test
  default void anEntryIsCheckedBeforeItIsSaved() {
    added(DENY_ALICE);
    Reply checked = add("/access?dryRun=true", DENY_ALICE);
    assertEquals(200, checked.status());
    assertEquals(1, checked.body().path("warnings").size(), () -> checked.body().toString());
    assertEquals(1, look("/access").body().path("items").size());
  }

  @Test
  default void entriesAreListedNewestFirstByActionAndSubject() {
    added(DENY_ALICE);
    added("{\"action\": \"ALLOW\", \"subject\": \"user:alice\", \"counted\": true}");
    added("{\"action\": \"DENY\", \"subject\": \"::ffff:192.0.2.0/120\"}");
    JsonNode first = look("/access?limit=2").body();
    assertEquals("ip:192.0.2.0/24", first.at("/items/0/subject").asText(), first::toString);
    assertTrue(first.at("/items/1/counted").asBoolean());
    JsonNode second = look("/access?limit=2&cursor=" + first.path("next").asText()).body();
    assertEquals("DENY", second.at("/items/0/action").asText());
    assertTrue(second.path("next").isNull(), second::toString);
    assertEquals(2, look("/access?action=DENY").body().path("items").size());
    assertEquals(2, look("/access?subject=user:alice").body().path("items").size());
    JsonNode denied = look("/access?subject=user:alice&action=DENY").body().path("items");
    assertEquals(1, denied.size());
  }
}
