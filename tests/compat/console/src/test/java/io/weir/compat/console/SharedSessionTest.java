package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.rules.access.NewAccessToken;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a page is of one person, although all tabs of a browser share one session. */
@NeedsChromium
@ExtendWith(SharedConsole.class)
class SharedSessionTest {
  private final ConsoleServer server = SharedConsole.server();

  /** Signs somebody else in, as another tab does. */
  private static void signInBeside(Browser browser, String secret) {
    assertEquals(
        204L,
        browser
            .driver()
            .executeAsyncScript(
                "const [secret, done] = arguments; fetch('../session', {method: 'POST', headers:"
                    + " {Authorization: `Bearer ${secret}`}}).then(r => done(r.status));",
                secret));
  }

  @Test
  void nobodyChangesAnythingInTheNameOfWhoeverSignedInBeside() {
    long id = server.rule("free", "/api/" + SharedConsole.unique("mine"), 10, "DRAFT");
    Browser browser = SharedConsole.second("weir-admin", null, "/rules/" + id);
    browser.type("#rule-limitCount", "42");
    browser.awaitText("#rule-said", "It can be saved");
    String other = SharedConsole.unique("Zoë of the other tab + 1");
    signInBeside(browser, server.secret(other, "weir-admin"));
    browser.run("document.getElementById('rule-save').click();");
    browser.awaitText("#who", other);
    assertEquals(10, server.get("/rules/" + id).path("limitCount").asLong());
    browser.type("#rule-limitCount", "43");
    browser.awaitText("#rule-said", "It can be saved");
    browser.click("#rule-save");
    Await.until("it is saved", () -> server.get("/rules/" + id).path("limitCount").asLong() == 43);
  }

  @Test
  void whoeverSignsInAfterAnAdministratorSeesNothingOfIts() {
    NewAccessToken token = server.token(SharedConsole.unique("left"), "weir-admin", null);
    Browser browser = SharedConsole.second("weir-admin", null, "/");
    browser.forgetSession();
    browser.signIn(token.secret(), "/nodes");
    server.revoke(token);
    Await.until("the session ends", () -> browser.send("GET", "session", "") == 401);
    browser.run("location.hash = '/policies';");
    browser.await("#session-ended");
    String user = SharedConsole.unique("carol");
    browser.type("#token", server.token(SharedConsole.unique("own"), "user", user).secret());
    browser.click("#sign-in-submit");
    browser.awaitText("#title", "Not for this account");
    assertFalse(browser.has("#nav-rules"));
  }

  @Test
  void notNowIsHeardUntilSomebodyDoesSomething() {
    String name = SharedConsole.unique("later");
    NewAccessToken token = server.token(name, "weir-admin", null);
    Browser browser = SharedConsole.second("weir-admin", null, "/");
    browser.forgetSession();
    browser.signIn(token.secret(), "/nodes");
    server.revoke(token);
    Await.until("the session ends", () -> browser.send("GET", "session", "") == 401);
    assertEquals(401L, ask(browser, true));
    assertFalse(browser.has("#session-ended"));
    assertEquals(401L, ask(browser, false));
    browser.awaitText("#banners", "Your session has ended.");
    browser.assertAccessible("signed out, not now");
    browser.click("#sign-in-again");
    browser.type("#token", server.secret(name, "weir-admin"));
    browser.click("#sign-in-submit");
    browser.awaitGone("#session-ended");
    browser.awaitGone("#signed-out");
  }

  /** Asks as a page does by itself, and says "Not now" if it has to. Returns the status. */
  private static Object ask(Browser browser, boolean isAskedToSignIn) {
    browser.run(
        "window.asked = null; const root = location.pathname;"
            + " import(`${root}js/api.js`).then(api => api.get('nodes'))"
            + ".catch(problem => { window.asked = problem.status; });");
    if (isAskedToSignIn) {
      browser.click("#session-ended-later");
      browser.awaitGone("#session-ended");
    }
    Await.until(
        "it is answered", () -> Boolean.TRUE.equals(browser.run("return window.asked !== null;")));
    return browser.run("return window.asked;");
  }

  @Test
  void aQuestionEndsWithItsPage() {
    Browser browser = SharedConsole.administrator("/switches");
    String policy =
        server
            .get(
                "/rules/"
                    + server.rule("free", "/api/" + SharedConsole.unique("asked"), 10, "ENFORCED"))
            .path("name")
            .asText();
    server.put(
        "PUT",
        ConsoleServer.ADMIN + "/switches/" + policy,
        "{\"state\": \"SHADOW\", \"reason\": \"of the test\", \"until\": \""
            + Instant.now().plusSeconds(3_600)
            + "\"}");
    browser.show("/switches", "switches");
    browser.click("[data-end]");
    browser.await("#end-switch");
    browser.show("/nodes", "nodes");
    browser.awaitGone("#end-switch");
    assertFalse(server.get("/switches").isEmpty());
    server.put("DELETE", ConsoleServer.ADMIN + "/switches/" + policy, "");
  }
}
