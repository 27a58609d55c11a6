package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.RunOneIn;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.WindowType;

/** Tests when a page listens to events, and what it does without a place among the readers. */
@NeedsChromium
@RunOneIn(value = 2, own = true)
class ListeningTest {
  private static final String LIVE = "#side .live";

  private ConsoleServer server;
  private Browser browser;

  @BeforeEach
  void start() {
    server = new ConsoleServer();
    server.rule("free", "/api/posts", 3, "ENFORCED");
    browser = new Browser(server.url());
  }

  @AfterEach
  void stop() {
    Closing.inOrder(browser, server);
  }

  @Test
  void aHiddenPageListensToNothingAndReadsAnewWhenItIsShown() {
    browser.runBeforeEachPage(
        "{const Real = EventSource; window.streams = []; window.EventSource = class extends"
            + " Real {constructor(...all) {super(...all); streams.push(this);}};}");
    browser.signIn(server.secret("on call", "weir-admin"), "/rules");
    browser.awaitText(LIVE, "Live: 1 node");
    try (EventStreams others = others()) {
      others.takeAll();
      assertEquals(EventStreams.PLACES - 1, others.size(), "the page has the other place");

      noteWhatItSaysWhileHidden();
      String page = browser.driver().getWindowHandle();
      browser.driver().switchTo().newWindow(WindowType.TAB);
      String other = browser.driver().getWindowHandle();
      Await.until("the place of the hidden page is free", others::take);
      assertFalse(others.take());
      server.rule("gold", "/api/added", 7, "ENFORCED");

      browser.driver().switchTo().window(page);
      assertEquals(
          "Paused while hidden, with 0 streams",
          browser.run("return window.whileHidden;"),
          "the page says so");
      browser.driver().switchTo().window(other).close();
      browser.driver().switchTo().window(page);
      browser.awaitText("#rules tbody", "/api/added");
    }
  }

  private EventStreams others() {
    return EventStreams.ofTokens(
        server.url(), number -> server.secret("others " + number, "weir-view"));
  }

  private void noteWhatItSaysWhileHidden() {
    browser.run(
        "const said = document.querySelector(arguments[0]); new MutationObserver(() => {"
            + " if (document.hidden) window.whileHidden = said.textContent + ', with '"
            + " + streams.filter(s => s.readyState !== 2).length + ' streams'; })"
            + ".observe(said, {subtree: true, childList: true, characterData: true});",
        LIVE);
  }

  @Test
  void aPageWithoutAPlaceAsksAndSaysSo() {
    String admin = server.secret("on call", "weir-admin");
    try (EventStreams others = others()) {
      others.takeAll();
      assertEquals(EventStreams.PLACES, others.size());
      browser.signIn(admin, "/rules");
      browser.awaitText(LIVE, "No place for a live stream: asking every 10 s. 1 node");
      browser.assertFlawless("no place among the readers");
      server.rule("gold", "/api/added", 7, "ENFORCED");
      browser.awaitText("#rules tbody", "/api/added");
      assertTrue(browser.text(LIVE).contains("asking every 10 s"), browser.text(LIVE));
    }
  }
}
