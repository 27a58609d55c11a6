package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the access list: entries are added, found, changed and lifted, and callers say why. */
@NeedsChromium
@ExtendWith(SharedConsole.class)
class ShutOutTest {
  private final ConsoleServer server = SharedConsole.server();

  private JsonNode entryOf(String subject) {
    return server.get("/access?subject=" + subject).path("items").path(0);
  }

  private boolean isDenied(String user) {
    String body = "{\"userId\": \"" + user + "\", \"endpoint\": \"/api/posts\"}";
    return server.send("POST", "/v1/ratelimit/check", body).body().path("denied").asBoolean();
  }

  @Test
  void aUserIsShutOutAndLetInAgain() {
    String user = SharedConsole.unique("mallory");
    String subject = "user:" + user;
    Browser browser = SharedConsole.administrator("/access");
    browser.click("#new-entry");
    browser.type("#entry-subject", user);
    browser.click("#entry-save");
    browser.awaitText("#entry-subject-error", "Must be an address");
    browser.assertFlawless("an entry that is wrong");
    browser.type("#entry-subject", subject);
    browser.type("#entry-reason", "Guesses passwords");
    browser.click("#entry-save");
    Await.until("it is denied", () -> isDenied(user));
    browser.awaitText("#access tbody", user);
    assertEquals("Guesses passwords", entryOf(subject).path("reason").asText());

    browser.type("#filter-text", "no such text");
    browser.awaitGone("#access tbody tr");
    browser.type("#filter-text", "guesses " + user);
    browser.awaitText("#access tbody", "Denied");
    browser.assertFlawless("the access list");

    browser.click("#access a[href^='#/callers/user/']");
    browser.awaitText("#caller-summary [data-access]", "Guesses passwords");
    browser.assertFlawless("a denied caller");
    browser.type("#try-endpoint", "/api/posts");
    browser.click("#try");
    browser.awaitText("#tried [data-access]", "Denied");
    browser.click("#caller-summary [data-access] a");
    browser.awaitText("#access tbody", user);

    String id = entryOf(subject).path("id").asText();
    browser.click("[data-change='" + id + "']");
    assertEquals("Guesses passwords", browser.value("#entry-reason"));
    browser.choose("#entry-state", "SHADOW");
    browser.click("#entry-save");
    Await.until("it only measures", () -> !isDenied(user));
    browser.awaitText("#access tbody", "Shadow");
    browser.click("[data-lift='" + id + "']");
    browser.awaitText("#lift-entry", subject);
    browser.click("#lift-entry-yes");
    Await.until("it is lifted", () -> entryOf(subject).isMissingNode());
    browser.show("/changes?table=access_list&rowKey=" + id, "changes");
    browser.awaitText("#changes", "Access entry deleted");
    browser.awaitText("#changes", "Access entry added");
    browser.assertFlawless("changes of an entry");
  }

  @Test
  void aUserSeesThatItIsShutOutButNotWhy() {
    String user = SharedConsole.unique("trudy");
    server.put(
        "POST",
        ConsoleServer.ADMIN + "/access",
        "{\"action\": \"DENY\", \"subject\": \"user:" + user + "\", \"reason\": \"of a secret\"}");
    Await.until("it is denied", () -> isDenied(user));
    Browser browser = SharedConsole.second("user", user, "/me");
    browser.awaitText("#my-access", "You are shut out.");
    browser.assertFlawless("limits of a denied user");
    assertFalse(browser.text("body").contains("of a secret"));
    assertTrue(browser.read("../dashboard/status").contains("\"access\":\"DENY\""));
  }

  @Test
  void aBanIsFoundExplainedToItsUserAndLifted() {
    String user = SharedConsole.unique("guesser");
    String subject = "policy:login:user:" + user;
    Browser browser = SharedConsole.administrator("/access");
    browser.awaitText("#side .live", "Live: 1 node");
    server.ban(subject, Duration.ofHours(2), "login");
    browser.awaitText("#access tbody", user); // by an event
    browser.choose("#filter-action", "ALLOW");
    browser.awaitGone("#access [data-key='" + entryOf(subject).path("id").asText() + "']");
    browser.choose("#filter-action", "BAN");
    browser.awaitText("#access tbody", "Banned");
    browser.awaitText("#access tbody", "by login");
    assertEquals(0, browser.count("#access tbody [data-change]"), "nobody changes a ban");
    browser.assertFlawless("bans");

    Browser own = SharedConsole.second("user", user, "/me");
    own.awaitText("#my-ban", "You are banned by login until");
    own.awaitText("#my-ban", "10 strikes by login");
    own.assertFlawless("limits of a banned user");

    browser.click("#access a[href^='#/callers/user/']");
    browser.awaitText("#caller-summary [data-access]", "Banned");
    browser.assertFlawless("a banned caller");
    browser.show("/access?action=BAN&text=" + user, "access");
    browser.click("#access tbody [data-lift]");
    browser.awaitText("#lift-entry", "Its strikes begin anew.");
    browser.click("#lift-entry-yes");
    Await.until("it is lifted", () -> entryOf(subject).isMissingNode());
    browser.show("/callers/user/" + user, "callers");
    browser.awaitGone("#caller-summary [data-access]");
  }

  @Test
  void anEndKeepsItsSecondsWhenTheReasonIsChanged() {
    String subject = "user:" + SharedConsole.unique("late");
    String end = "2099-01-01T00:00:30Z";
    String id =
        server
            .put(
                "POST",
                ConsoleServer.ADMIN + "/access",
                "{\"action\": \"DENY\", \"subject\": \""
                    + subject
                    + "\", \"validUntil\": \""
                    + end
                    + "\"}")
            .path("id")
            .asText();
    Browser browser = SharedConsole.administrator("/access");
    browser.click("[data-change='" + id + "']");
    browser.type("#entry-reason", "Guesses passwords");
    browser.click("#entry-save");
    browser.awaitText("#access tbody", "Guesses passwords");
    assertEquals(end, entryOf(subject).path("validUntil").asText());
  }

  @Test
  void aKeyIsDeniedAndItsTextIsNowhere() {
    String key = SharedConsole.unique("key");
    Browser browser = SharedConsole.administrator("/access");
    browser.click("#new-entry");
    browser.type("#entry-apiKey", key);
    browser.click("#entry-save");
    browser.awaitText("#access tbody", "key:sha256:");
    assertFalse(browser.text("body").contains(key));
    assertFalse(server.get("/access").toString().contains(key));
  }
}
