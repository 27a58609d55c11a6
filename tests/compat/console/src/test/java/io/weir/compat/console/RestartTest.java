package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.logging.LogType;

/** Tests a page that stays open while its server is restarted. */
@NeedsChromium
class RestartTest {
  private static final String LIVE = "#side .live";

  private final Map<String, String> settings = new HashMap<>();

  RestartTest() {
    settings.put("weir.rules", "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
  }

  @Test
  void thePageSaysThatItIsCutOffAndGoesOnByItself() {
    ConsoleServer first = new ConsoleServer(settings);
    String url = first.url();
    settings.put("weir.server.http.port", String.valueOf(URI.create(url).getPort()));
    long rule = first.rule("free", "/api/posts", 10, "ENFORCED");
    try (Browser browser = new Browser(url)) {
      browser.signIn(first.secret("on call", "weir-admin"), "/rules/" + rule);
      browser.awaitText(LIVE, "Live: 1 node");
      browser.run("window.isSamePage = true;");
      browser.type("#rule-limitCount", "42");
      browser.awaitText("#rule-said", "It can be saved");
      first.close();
      browser.awaitText("#banners", "Cut off from the server.");
      browser.awaitText(LIVE, "Cut off; figures are");
      String before = browser.text(LIVE);
      Await.until("the figures get older", () -> !browser.text(LIVE).equals(before));
      browser.assertAccessible("cut off");
      browser.click("#rule-save");
      Await.until("it is told", () -> browser.text("body").contains("The server can’t be reached"));
      browser.assertAccessible("not saved");
      browser.run("document.querySelector('dialog[open] .actions button')?.click();");
      browser.picture("cut-off-light-wide");

      try (ConsoleServer second = new ConsoleServer(settings)) {
        browser.awaitText(LIVE, "Live: 1 node");
        Await.until("it is said no more", () -> browser.text("#banners").isEmpty());
        assertEquals(true, browser.run("return window.isSamePage === true;"), "it wasn't reloaded");
        assertEquals("42", browser.value("#rule-limitCount"), "what was typed is still there");
        assertFalse(browser.has("#session-ended"), "the session is in the database");
        browser.click("#rule-save");
        Await.until(
            "it is saved", () -> second.get("/rules/" + rule).path("limitCount").asLong() == 42);
        assertTrue(second.check("alice", "/api/posts"));
        // The browser logs each request that got no answer.
        Object unused = browser.driver().manage().logs().get(LogType.BROWSER);
        browser.assertFlawless("live again");
      }
    } finally {
      first.close();
    }
  }
}
