package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.DeepOnly;
import io.weir.seeds.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how much the pages send at first, and keep in memory while they stay open. */
@NeedsChromium
class WeightTest {
  private static final long MAX_SENT = 150_000;
  private static final long MAX_FILES = 309_000;

  /** One every five seconds: those of an hour in a long build, of 25 minutes in a short one. */
  private static final int EVENTS = Seeds.deep() ? 720 : 300;

  /** Less than a piece of each event: so much is noise of the browser. */
  private static final long MAX_MORE_BYTES = 2_000L * EVENTS;

  private static final long MAX_MORE_NODES = EVENTS;

  /** What a page keeps is complete after these: a quarter of an hour of figures. */
  private static final int FIRST_EVENTS = 200;

  private static final int EVENTS_A_ROUND = 20;

  /** Five seconds of them. */
  private static final int PAUSES_BETWEEN_LOOKS = 100;

  private ConsoleServer server;
  private Browser browser;

  @BeforeEach
  void start() {
    server = new ConsoleServer();
    for (int i = 0; i < 30; i++) {
      server.rule("free", "/api/part" + i, 3, i % 3 == 0 ? "SHADOW" : "ENFORCED");
    }
    browser = new Browser(server.url());
  }

  @AfterEach
  void stop() {
    Closing.inOrder(browser, server);
  }

  private long number(String script) {
    return ((Number) browser.run(script)).longValue();
  }

  private long sum(String size) {
    return number(
        "return [...performance.getEntriesByType('navigation'),"
            + " ...performance.getEntriesByType('resource')]"
            + ".filter(e => e.name.split('#')[0].includes('/v1/console/'))"
            + ".reduce((sum, e) => sum + e."
            + size
            + ", 0);");
  }

  @Test
  void allPagesTogetherAreSmall() {
    Map<String, String> pages = new HashMap<>();
    for (String each :
        List.of(
            "policies",
            "rules",
            "callers",
            "switches",
            "access",
            "anomalies",
            "upgrades",
            "usage",
            "changes",
            "problems",
            "nodes")) {
      pages.put("/" + each, each);
    }
    pages.put("/what-if", "whatif");
    pages.put("/rules/new", "rule");
    pages.put("/policies/none", "policy");
    browser.load("/");
    browser.await("#token");
    long toSignIn = sum("transferSize");
    long paint =
        number(
            "return performance.getEntriesByType('paint')"
                + ".find(e => e.name === 'first-contentful-paint')?.startTime ?? -1;");
    browser.type("#token", server.secret("on call", "weir-admin"));
    browser.click("#sign-in-submit");
    browser.await("#tiles");
    pages.forEach(browser::show);
    long sent = sum("transferSize");
    long files = sum("decodedBodySize");
    System.out.println(
        "First paint after "
            + paint
            + " ms; sent: "
            + toSignIn
            + " bytes to sign in, "
            + sent
            + " with all pages of administrators, whose files have "
            + files);
    assertTrue(sent > 50_000 && sent <= MAX_SENT, "sent: " + sent);
    assertTrue(files > sent && files <= MAX_FILES, "as files: " + files);
  }

  /**
   * Gives the page a stream of our own, and a clock that goes on with each event as it would at
   * twelve times the pace.
   */
  private void deliverEventsOurselves() {
    browser.runBeforeEachPage(
        "{let ahead = 0; const now = Date.now.bind(Date);"
            + " const since = performance.now.bind(performance);"
            + " Date.now = () => now() + ahead; performance.now = () => since() + ahead;"
            + " const Real = window.EventSource; let source;"
            + " window.EventSource = class extends Real {"
            + "   constructor(...all) { super(...all); source = this; } };"
            + " window.deliver = (type, data) => { ahead += 5000;"
            + "   source.dispatchEvent(new MessageEvent(type, {data:"
            + " JSON.stringify(data)})); }; }");
  }

  /** Delivers figures of 120 policies, of which some are new each time, and changes of rows. */
  private void deliver(int from, int count) {
    for (int first = from; first < from + count; first += EVENTS_A_ROUND) {
      Object unused =
          browser
              .driver()
              .executeAsyncScript(
                  "const [first, count, done] = arguments; (async () => {"
                      + " for (let i = first; i < first + count; i++) {"
                      + "   const rate = n => ({admitted: n, refused: n / 3, soft: 0,"
                      + "     shadowRefused: n / 7, degraded: 0});"
                      + "   deliver('outcomes', {type: 'outcomes', data: {"
                      + "     at: new Date(Date.now()).toISOString(), nodes: 1, silentNodes: 0,"
                      + "     oldestSeconds: 1, complete: true, note: null,"
                      + "     totals: rate(1000 + Math.sin(i) * 300),"
                      + "     policies: Array.from({length: 120}, (_, p) =>"
                      + "       ({policy: `policy ${p < 100 ? p : `${i} ${p}`}`,"
                      + "         ...rate(10 + Math.cos(i + p) * 9)}))}});"
                      + "   if (i % 5 === 0) deliver('rate_limit_rules', {type:"
                      + "     'rate_limit_rules', data: {number: i, by: 'a test',"
                      + "     rowKey: '1', what: 'changed'}});"
                      + "   if (i % 40 === 0) deliver('switches', {type: 'switches', data: {}});"
                      + "   if (i % 5 === 0) await new Promise(requestAnimationFrame);"
                      + " } })().then(done);",
                  first, EVENTS_A_ROUND);
    }
  }

  /** What a page keeps, once all that it doesn't is collected. */
  private record Kept(long bytes, long nodes) {}

  private Kept kept() {
    Kept least = new Kept(Long.MAX_VALUE, Long.MAX_VALUE);
    for (int i = 0; i < 3; i++) {
      cdp("HeapProfiler.collectGarbage");
      long bytes = ((Number) cdp("Runtime.getHeapUsage").get("usedSize")).longValue();
      long nodes = ((Number) cdp("Memory.getDOMCounters").get("nodes")).longValue();
      least = new Kept(Math.min(least.bytes, bytes), Math.min(least.nodes, nodes));
    }
    return least;
  }

  private Map<String, Object> cdp(String command) {
    return browser.driver().executeCdpCommand(command, Map.of());
  }

  private static void assertSame(Kept before, Kept after, String what) {
    System.out.println(what + ": " + before + " before, " + after + " after");
    assertTrue(after.bytes - before.bytes < MAX_MORE_BYTES, what + ": " + before + ", " + after);
    assertTrue(after.nodes - before.nodes < MAX_MORE_NODES, what + ": " + before + ", " + after);
  }

  @Test
  void aPageThatStaysOpenKeepsNoMoreAfterTheEventsOfALongTime() {
    deliverEventsOurselves();
    browser.signIn(server.secret("on call", "weir-admin"), "/");
    browser.awaitText("#side .live", "Live: 1 node");
    deliver(0, FIRST_EVENTS);
    Kept before = kept();
    deliver(FIRST_EVENTS, EVENTS);
    assertSame(before, kept(), EVENTS + " events");
    browser.show("/policies", "policies");
    browser.assertNoFaults("after many events");
  }

  /** At the real pace, with the figures of a real server. */
  @Test
  @DeepOnly
  void aPageThatStaysOpenForAnHourKeepsNoMore() {
    long minutes = Long.getLong("weir.test.minutes", 60);
    server.load("alice", "bob", "carol");
    browser.signIn(server.secret("on call", "weir-admin"), "/");
    browser.awaitText("#side .live", "Live: 1 node");
    stayOpen(minutes / 3);
    Kept before = kept();
    stayOpen(minutes - minutes / 3);
    assertSame(before, kept(), minutes + " minutes");
    browser.awaitText("#side .live", "Live: 1 node");
  }

  /**
   * Looks only now and then: the driver keeps some 150 bytes in the page for each question, which
   * at twenty a second were megabytes in an hour.
   */
  private void stayOpen(long minutes) {
    long end = System.nanoTime() + minutes * 60_000_000_000L;
    while (System.nanoTime() < end) {
      for (int i = 0; i < PAUSES_BETWEEN_LOOKS; i++) {
        Await.pause();
      }
      assertTrue(browser.has("#tiles"));
    }
  }
}
