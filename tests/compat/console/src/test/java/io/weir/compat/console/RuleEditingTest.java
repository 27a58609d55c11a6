package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.compat.console.ConsoleServer.Reply;
import io.weir.rules.access.NewAccessToken;
import io.weir.seeds.RunOneIn;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests how administrators change rules in the console. */
@NeedsChromium
@ExtendWith(SharedConsole.class)
@RunOneIn(value = 2, own = true)
class RuleEditingTest {
  private final ConsoleServer server = SharedConsole.server();

  private JsonNode rule(long id) {
    return server.get("/rules/" + id);
  }

  private List<JsonNode> rulesOf(String pattern) {
    return server.get("/rules?limit=1000").path("items").findParents("endpointPattern").stream()
        .filter(each -> each.path("endpointPattern").asText().equals(pattern))
        .toList();
  }

  private void awaitState(long id, String state) {
    Await.until("rule " + id + " is " + state, () -> state.equals(rule(id).path("state").asText()));
  }

  @Test
  void aRuleGoesFromDraftOverShadowToEnforcedAndBack() {
    String path = "/api/" + SharedConsole.unique("tried");
    Browser browser = SharedConsole.administrator("/rules/new");
    browser.type("#rule-tier", "free");
    browser.type("#rule-endpointPattern", path);
    browser.type("#rule-limitCount", "0");
    Await.until("the mistake is told", () -> !browser.text("#rule-limitCount-error").isEmpty());
    browser.assertAccessible("a mistake in a rule");
    assertEquals(List.of(), rulesOf(path), "checked, not saved");
    browser.type("#rule-limitCount", "3");
    browser.type("#rule-window", "1");
    browser.choose("#rule-unit", "3600");
    browser.awaitText("#rule-said", "It can be saved");
    Await.until("the mistake has gone", () -> browser.text("#rule-limitCount-error").isEmpty());
    assertEquals(List.of(), rulesOf(path), "checked, not saved");
    browser.click("#rule-save");
    Await.until("it is saved", () -> rulesOf(path).size() == 1);
    JsonNode saved = rulesOf(path).get(0);
    long id = saved.path("id").asLong();
    assertEquals("DRAFT", saved.path("state").asText());
    assertEquals(3, saved.path("limitCount").asLong());
    assertEquals(3600, saved.path("windowSeconds").asLong());
    for (int i = 0; i < 10; i++) {
      assertTrue(server.check("alice", path), "a draft has no effect");
    }

    browser.click("#to-shadow");
    awaitState(id, "SHADOW");
    String shadow = rule(id).path("name").asText();
    Await.until(
        "the shadow counts what it would refuse",
        () -> {
          assertTrue(server.check("alice", path), "a shadow refuses nobody");
          return shadowRefused(shadow) > 2;
        });
    browser.show("/rules/" + id, "rule");
    Await.until(
        "the page says what the API counted",
        () -> browser.text("#shadow-refused").equals(String.valueOf(shadowRefused(shadow))));

    browser.click("#to-enforced");
    browser.awaitText("#turn", "As a shadow it would have refused");
    browser.click("#turn-yes");
    awaitState(id, "ENFORCED");
    Await.until("it refuses", () -> !server.check("alice", path));
    Await.until("it has three versions", () -> browser.count("#rule-history li[id]") == 3);
    browser.awaitText("#rule-history li:first-child", "ENFORCED");
    browser.awaitText("#rule-history li:first-child", "SHADOW");

    browser.type("#rule-limitCount", "1000");
    browser.awaitText("#rule-said", "1000");
    browser.click("#rule-save");
    Await.until("the limit is higher", () -> server.check("alice", path));
    Await.until("it has four versions", () -> browser.count("#rule-history li[id]") == 4);
    browser.awaitText("#rule-history li:first-child del", "3");
    browser.awaitText("#rule-history li:first-child ins", "1000");
    browser.click("#rule-history li:nth-child(2) [data-restore]");
    browser.awaitText("#restore", "1000");
    browser.assertAccessible("a version that is restored");
    browser.click("#restore-yes");
    Await.until("it is again as it was", () -> rule(id).path("limitCount").asLong() == 3);
    Await.until("it refuses again", () -> !server.check("alice", path));
    Await.until("the form has it", () -> browser.value("#rule-limitCount").equals("3"));
    browser.assertFlawless("a rule that was restored");
  }

  private long shadowRefused(String policy) {
    long sum = 0;
    for (JsonNode each : server.get("/outcomes/hours?policy=" + policy).path("items")) {
      sum += each.path("shadowRefused").asLong();
    }
    return sum;
  }

  @Test
  void newBucketsAreSaidBeforeARuleIsSaved() {
    String path = "/api/" + SharedConsole.unique("warned");
    long id = server.rule("free", path, 5, 3_600, "ENFORCED");
    Browser browser = SharedConsole.administrator("/rules/" + id);
    browser.awaitText("#rule-said", "Nothing has changed");
    browser.type("#rule-window", "2");
    browser.awaitText("#rule-warnings", "count");
    browser.awaitText("#rule-said", "7200");
    assertEquals(3_600, rule(id).path("windowSeconds").asLong(), "checked, not saved");
    browser.assertAccessible("a warning about a rule");
    browser.run("document.getElementById('rule-form').scrollIntoView();");
    browser.type("#rule-window", "1");
    browser.awaitText("#rule-said", "Nothing has changed");
  }

  /** Changes the limit as a script does, and returns the new version. */
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
  void twoAdministratorsOnOneRuleSeeEachOthersTextAndLoseNone() {
    String path = "/api/" + SharedConsole.unique("contested");
    long id = server.rule("free", path, 10, "ENFORCED");
    Browser first = SharedConsole.administrator("/rules/" + id);
    Browser second = SharedConsole.second("weir-admin", null, "/rules/" + id);
    first.type("#rule-limitCount", "20");
    first.awaitText("#rule-said", "It can be saved");
    first.type("#rule-methods", "GET");
    second.type("#rule-limitCount", "15");
    second.awaitText("#rule-said", "It can be saved");
    second.click("#rule-save");
    Await.until("the second has saved", () -> rule(id).path("limitCount").asLong() == 15);
    first.awaitText("#rule-other", "This rule has been changed");
    assertEquals("20", first.value("#rule-limitCount"), "nothing typed is touched");

    first.click("#rule-save");
    first.await("#conflict");
    String both = first.text("#conflict-table tbody");
    for (String each : List.of("limitCount", "10", "15", "20", "methods", "GET")) {
      assertTrue(both.contains(each), both);
    }
    assertEquals(15, rule(id).path("limitCount").asLong(), "nothing is overwritten");
    first.assertFlawless("two versions of a rule");
    first.picture("conflict-light-wide");
    first.click("#conflict-edit");
    assertEquals("20", first.value("#rule-limitCount"), "what was typed is still there");
    assertEquals("GET", first.value("#rule-methods"), "what was typed is still there");
    first.click("#rule-save");
    first.click("#conflict-mine");
    Await.until("the first one's is saved", () -> rule(id).path("limitCount").asLong() == 20);
    first.awaitGone("#conflict");

    second.type("#rule-limitCount", "30");
    second.awaitText("#rule-other", "This rule has been changed");
    second.click("#show-newest");
    second.await("#conflict");
    second.awaitText("#conflict-table tbody", "20");
    second.click("#conflict-theirs");
    Await.until("theirs is shown", () -> second.value("#rule-limitCount").equals("20"));
    assertEquals(20, rule(id).path("limitCount").asLong());
    second.assertNoFaults("the second administrator");
  }

  @Test
  void whatATypedRuleConflictsWithByAScriptIsShownToo() {
    long id = server.rule("free", "/api/" + SharedConsole.unique("scripted"), 10, "DRAFT");
    Browser browser = SharedConsole.administrator("/rules/" + id);
    browser.type("#rule-limitCount", "30");
    String version = changeElsewhere(id, 25);
    browser.click("#rule-save");
    browser.awaitText("#conflict", "version " + version.replace("\"", ""));
    browser.click("#conflict-theirs");
    Await.until("theirs is shown", () -> browser.value("#rule-limitCount").equals("25"));
  }

  @Test
  void whatWasTypedIsThereAfterAnotherPageWasShown() {
    long id = server.rule("free", "/api/" + SharedConsole.unique("left"), 10, "DRAFT");
    Browser browser = SharedConsole.administrator("/rules/" + id);
    browser.type("#rule-limitCount", "77");
    browser.show("/nodes", "nodes");
    browser.show("/rules/" + id, "rule");
    assertEquals("77", browser.value("#rule-limitCount"));
    browser.awaitText("#rule-other", "Your unsaved changes are back");
    browser.click("#discard");
    Await.until("it is as saved", () -> browser.value("#rule-limitCount").equals("10"));
  }

  @Test
  void aSessionThatEndsLosesNoText() {
    long id = server.rule("free", "/api/" + SharedConsole.unique("interrupted"), 10, "DRAFT");
    String name = SharedConsole.unique("short");
    NewAccessToken token = server.token(name, "weir-admin", null);
    Browser browser = SharedConsole.second("weir-admin", null, "/");
    browser.forgetSession();
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
    browser.click("#session-ended-later");
    browser.awaitGone("#session-ended");
    assertEquals("42", browser.value("#rule-limitCount"), "what was typed is still there");
    browser.await("#rule-save:enabled");
    browser.run("document.getElementById('rule-save').click();");
    browser.await("#session-ended");
    browser.type("#token", server.secret(name, "weir-admin"));
    browser.click("#sign-in-submit");
    browser.awaitGone("#session-ended");
    Await.until("it goes on where it was", () -> rule(id).path("limitCount").asLong() == 42);
    assertFalse(browser.has("#session-ended"));
  }

  @Test
  void signingOutInAnotherWindowAsksToSignInInPlace() {
    long id = server.rule("free", "/api/" + SharedConsole.unique("elsewhere"), 10, "DRAFT");
    String secret = server.secret(SharedConsole.unique("here and there"), "weir-admin");
    Browser browser = SharedConsole.second("weir-admin", null, "/");
    browser.forgetSession();
    browser.signIn(secret, "/rules/" + id);
    browser.type("#rule-limitCount", "43");
    assertEquals(204, browser.send("DELETE", "session", ""), "as another window would");
    browser.await("#session-ended"); // the check as one types, or a click, finds it
    browser.type("#token", secret);
    browser.click("#sign-in-submit");
    browser.awaitGone("#session-ended");
    assertEquals("43", browser.value("#rule-limitCount"), "what was typed is still there");
    browser.click("#rule-save");
    Await.until("it is saved", () -> rule(id).path("limitCount").asLong() == 43);
  }
}
