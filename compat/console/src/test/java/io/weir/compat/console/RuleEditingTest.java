package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.compat.console.ConsoleServer.Reply;
import io.weir.rules.access.NewAccessToken;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how administrators change rules in the console. */
@NeedsChromium
class RuleEditingTest {
  private ConsoleServer server;
  private Browser browser;

  @BeforeEach
  void start() {
    server = new ConsoleServer();
    browser = new Browser(server.url());
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private JsonNode rule(long id) {
    return server.get("/rules/" + id);
  }

  private void awaitState(long id, String state) {
    Await.until("rule " + id + " is " + state, () -> state.equals(rule(id).path("state").asText()));
  }

  @Test
  void aRuleGoesFromDraftOverShadowToEnforced() {
    browser.signIn(server.secret("on call", "weir-admin"), "/rules/new");
    browser.type("#rule-tier", "free");
    browser.type("#rule-endpointPattern", "/api/tried");
    browser.type("#rule-limitCount", "0");
    Await.until("the mistake is told", () -> !browser.text("#rule-limitCount-error").isEmpty());
    assertTrue(server.get("/rules").path("items").isEmpty(), "checked, not saved");
    browser.type("#rule-limitCount", "3");
    browser.type("#rule-window", "1");
    browser.choose("#rule-unit", "3600");
    browser.awaitText("#rule-said", "It can be saved");
    browser.click("#rule-save");
    Await.until("it is saved", () -> server.get("/rules").path("items").size() == 1);
    JsonNode saved = server.get("/rules").path("items").get(0);
    long id = saved.path("id").asLong();
    assertEquals("DRAFT", saved.path("state").asText());
    assertEquals(3, saved.path("limitCount").asLong());
    assertEquals(3600, saved.path("windowSeconds").asLong());
    for (int i = 0; i < 10; i++) {
      assertTrue(server.check("alice", "/api/tried"), "a draft has no effect");
    }

    browser.await("#to-shadow");
    browser.click("#to-shadow");
    awaitState(id, "SHADOW");
    Await.until(
        "the shadow counts what it would refuse",
        () -> {
          assertTrue(server.check("alice", "/api/tried"), "a shadow refuses nobody");
          return shadowRefused() > 2;
        });
    browser.load("/rules/" + id);
    Await.until(
        "the page says what the API counted",
        () -> browser.text("#shadow-refused").equals(String.valueOf(shadowRefused())));

    browser.click("#to-enforced");
    browser.click("#turn-yes");
    awaitState(id, "ENFORCED");
    Await.until("it refuses", () -> !server.check("alice", "/api/tried"));
    Await.until(
        "its history has three versions",
        () ->
            Long.valueOf(3)
                .equals(
                    browser.run(
                        "return document.querySelectorAll('#rule-history li[id]').length")));
    browser.assertFlawless("an enforced rule");
  }

  private long shadowRefused() {
    long sum = 0;
    for (JsonNode each : server.get("/outcomes/hours?sum=true").path("items")) {
      sum += each.path("shadowRefused").asLong();
    }
    return sum;
  }

  /** Changes the limit as another administrator does, and returns the new version. */
  private String changeElsewhere(long id, long limit) {
    Reply read = server.send("GET", ConsoleServer.ADMIN + "/rules/" + id, "");
    ObjectNode changed = read.body().deepCopy();
    changed.put("limitCount", limit);
    changed.remove(List.of("id", "version", "updatedAt", "updatedBy", "warnings"));
    Reply saved =
        server.send(
            "PUT",
            ConsoleServer.ADMIN + "/rules/" + id,
            changed.toString(),
            "If-Match",
            read.version());
    assertEquals(200, saved.status(), () -> saved.body().toString());
    return saved.version();
  }

  @Test
  void aRuleThatSomebodyElseChangedIsShownBesideOnesOwn() {
    long id = server.rule("free", "/api/posts", 10, "ENFORCED");
    browser.signIn(server.secret("on call", "weir-admin"), "/rules/" + id);
    browser.type("#rule-limitCount", "20");
    browser.awaitText("#rule-said", "It can be saved");
    changeElsewhere(id, 15);
    browser.click("#rule-save");
    browser.await("#conflict");
    String both = browser.text("#conflict-table tbody");
    assertTrue(both.contains("limitCount"), both);
    for (String each : new String[] {"10", "15", "20"}) {
      assertTrue(both.contains(each), both);
    }
    assertEquals(15, rule(id).path("limitCount").asLong(), "nothing is overwritten");
    browser.assertFlawless("two versions of a rule");
    browser.picture("conflict-light-wide");
    browser.click("#conflict-edit");
    assertEquals("20", browser.value("#rule-limitCount"), "what was typed is still there");
    browser.click("#rule-save");
    browser.click("#conflict-mine");
    Await.until("one's own is saved", () -> rule(id).path("limitCount").asLong() == 20);

    Await.until("the page is drawn anew", () -> !browser.has("#conflict"));
    browser.type("#rule-limitCount", "30");
    changeElsewhere(id, 25);
    browser.click("#rule-save");
    browser.click("#conflict-theirs");
    Await.until("theirs is shown", () -> browser.value("#rule-limitCount").equals("25"));
    assertEquals(25, rule(id).path("limitCount").asLong());
  }

  @Test
  void aSessionThatEndsLosesNoText() {
    long id = server.rule("free", "/api/posts", 10, "ENFORCED");
    NewAccessToken token = server.token("short", "weir-admin", null);
    browser.signIn(token.secret(), "/rules/" + id);
    browser.type("#rule-limitCount", "42");
    browser.awaitText("#rule-said", "It can be saved");
    server.revoke(token);
    Await.until("the session ends", () -> browser.send("GET", "session", "") == 401);
    browser.run("document.getElementById('rule-save').click();");
    browser.await("#session-ended");
    assertEquals(10, rule(id).path("limitCount").asLong());
    assertEquals("42", browser.value("#rule-limitCount"));
    browser.assertFlawless("a session that has ended");
    browser.picture("session-ended-light-wide");
    browser.type("#token", server.secret("another", "weir-admin"));
    browser.click("#sign-in-submit");
    Await.until("the dialog is closed", () -> !browser.has("#session-ended"));
    assertEquals("42", browser.value("#rule-limitCount"), "what was typed is still there");
    Await.until(
        "it is saved",
        () -> {
          browser.run("document.getElementById('rule-save')?.click();");
          return rule(id).path("limitCount").asLong() == 42;
        });
    assertFalse(browser.has("#session-ended"));
  }
}
