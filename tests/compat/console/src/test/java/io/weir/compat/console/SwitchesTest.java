package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests switches: they have a reason and an end, and a confirmation names the extent. */
@NeedsChromium
class SwitchesTest {
  private static ConsoleServer server;
  private static Browser browser;

  @BeforeAll
  static void start() {
    server = new ConsoleServer();
    browser = new Browser(server.url());
    browser.signIn(server.secret("on call", "weir-admin"), "/switches");
  }

  @AfterAll
  static void stop() {
    Closing.inOrder(browser, server);
  }

  private static JsonNode switchOf(String policy) {
    for (JsonNode each : server.get("/switches")) {
      if (each.path("policy").asText().equals(policy)) {
        return each;
      }
    }
    return server.get("/switches").path("none");
  }

  @Test
  void noSwitchIsOfAnUnknownLimitOrReplacesAnotherUnasked() {
    long rule = server.rule("free", "/api/three", 9, "ENFORCED");
    String name = server.get("/rules/" + rule).path("name").asText();
    server.refresh();
    browser.show("/switches?policy=" + name + "s", "switches");
    browser.awaitText("#switch-extent", "There is no limit of this name.");
    browser.type("#switch-reason", "A partner moves its data");
    browser.click("#switch-save");
    browser.awaitText("#switch-policy-error", "there is no limit of this name");
    assertTrue(server.get("/switches").isEmpty());

    String until = Instant.now().plus(Duration.ofHours(2)).toString();
    server.put(
        "PUT",
        ConsoleServer.ADMIN + "/switches/" + name,
        "{\"state\": \"SHADOW\", \"reason\": \"an audit\", \"until\": \"" + until + "\"}");
    browser.type("#switch-policy", name);
    browser.click("#switch-save");
    browser.awaitText("#replace-switch", "an audit");
    browser.assertFlawless("a switch that would be replaced");
    browser.click("#replace-switch-cancel");
    browser.awaitGone("#replace-switch");
    assertEquals("an audit", switchOf(name).path("reason").asText());
    browser.click("#switch-save");
    browser.click("#replace-switch-yes");
    browser.click("#confirm-switch-yes");
    Await.until("it is off", () -> switchOf(name).path("state").asText().equals("OFF"));
    server.put("DELETE", ConsoleServer.ADMIN + "/switches/" + name, "");
    String own = ConsoleServer.ADMIN + "/rules/" + rule;
    server.send("DELETE", own, "", "If-Match", server.send("GET", own, "").version());
    server.refresh();
  }

  @Test
  void aLimitIsSwitchedOffToAShadowAndBackAndSoAreAll() {
    String name =
        server
            .get("/rules/" + server.ruleToUseUp("free", "/api/one", 1, 3_600))
            .path("name")
            .asText();
    server.ruleToUseUp("free", "/api/two", 1, 3_600);
    for (String path : new String[] {"/api/one", "/api/two"}) {
      Await.until(path + " refuses", () -> !server.check("alice", path));
    }
    browser.show("/switches?policy=" + name, "switches");
    browser.awaitText("#switch-extent", "for all callers and tiers, on all nodes");

    browser.click("#switch-save");
    browser.awaitText("#switch-reason-error", "so that others know why");
    assertTrue(server.get("/switches").isEmpty(), "not without a reason");
    browser.type("#switch-reason", "A partner moves its data");
    browser.run("document.getElementById('switch-until').value = '';");
    browser.click("#switch-save");
    browser.awaitText("#switch-until-error", "Must be given");
    assertTrue(server.get("/switches").isEmpty(), "not without an end");

    browser.click("[data-minutes='240']");
    browser.click("#switch-save");
    browser.awaitText("#confirm-switch", "This is about " + name + ", for all callers");
    browser.assertFlawless("a switch that asks");
    browser.click("#confirm-switch-cancel");
    browser.awaitGone("#confirm-switch");
    assertTrue(server.get("/switches").isEmpty(), "not before it is confirmed");
    browser.click("#switch-save");
    browser.click("#confirm-switch-yes");
    Await.until("it lets through", () -> server.check("alice", "/api/one"));
    assertFalse(server.check("alice", "/api/two"), "the other limit stays");
    JsonNode set = switchOf(name);
    assertEquals("OFF", set.path("state").asText());
    assertEquals("A partner moves its data", set.path("reason").asText());
    Duration lasts = Duration.between(Instant.now(), Instant.parse(set.path("until").asText()));
    assertTrue(lasts.toMinutes() >= 200 && lasts.toMinutes() <= 241, lasts::toString);
    browser.awaitText("#switches-banner", name);
    browser.show("/", "now");
    browser.awaitText("#switches-banner", "A partner moves its data");
    browser.awaitText("#nav-switches .count", "1");

    browser.show("/switches", "switches");
    browser.click("[data-extend]");
    assertEquals("A partner moves its data", browser.value("#switch-reason"));
    browser.choose("#switch-state", "SHADOW");
    browser.click("#switch-save");
    Await.until("it only measures", () -> switchOf(name).path("state").asText().equals("SHADOW"));
    assertTrue(server.check("alice", "/api/one"));

    browser.click("[data-end='" + name + "']");
    browser.awaitText("#end-switch", name);
    browser.click("#end-switch-yes");
    Await.until("it refuses again", () -> !server.check("alice", "/api/one"));
    browser.awaitGone("#switches-banner");

    browser.type("#switch-policy", "*");
    browser.choose("#switch-state", "OFF");
    browser.type("#switch-reason", "Everything is refused");
    browser.awaitText(
        "#switch-extent", "This is about all 2 limits, for all callers, on all nodes");
    browser.click("#switch-save");
    browser.awaitText("#confirm-switch", "Switch off all 2 limits?");
    browser.awaitText("#confirm-switch", "Nothing is refused or counted");
    browser.click("#confirm-switch-yes");
    Await.until("all are off", () -> server.check("alice", "/api/one"));
    Await.until("all are off", () -> server.check("alice", "/api/two"));
    browser.awaitText("#switches-banner", "all limits off");
    browser.assertFlawless("all limits are off");
    browser.click("[data-end='*']");
    browser.awaitText("#end-switch", "All limits");
    browser.click("#end-switch-yes");
    Await.until("all refuse again", () -> !server.check("alice", "/api/two"));
    browser.assertNoFaults("switches");
  }
}
