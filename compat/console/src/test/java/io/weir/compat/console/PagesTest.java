package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests each page on a server under load: what it shows, and that axe finds nothing. */
@NeedsChromium
class PagesTest {
  /** Names that are HTML, a formula, and right-to-left text. */
  private static final String HTML = "<img src=x onerror=\"document.title='hit'\">";

  private static final String FORMULA = "=HYPERLINK(1)";
  private static final String ARABIC = "مستخدم";

  private static final List<String> OUTCOMES =
      List.of("admitted", "refused", "soft", "shadowRefused", "degraded");

  private static ConsoleServer server;
  private static Browser browser;
  private static long rule;

  @BeforeAll
  static void start() {
    server = new ConsoleServer();
    rule = server.rule("free", "/api/posts", 5, "ENFORCED");
    server.rule("free", "/api/search", 3, "SHADOW");
    server.rule("gold", "/api/posts", 100, "DRAFT");
    server.rule("*", "/api/search", 40, "ENFORCED");
    server.load("alice", "bob", HTML, FORMULA, ARABIC);
    browser = new Browser(server.url());
    browser.signIn(server.secret("on call", "weir-admin"), "/");
    Await.until("somebody is refused", () -> !server.get("/refused").isEmpty());
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("/", "now");
    pages.put("/policies", "policies");
    pages.put("/policies/" + server.get("/rules/" + rule).path("name").asText(), "policy");
    pages.put("/rules", "rules");
    pages.put("/rules/new", "rule");
    pages.put("/rules/" + rule, "rule");
    pages.put("/callers", "callers");
    pages.put("/callers/user/alice", "callers");
    pages.put("/switches", "switches");
    pages.put("/anomalies", "anomalies");
    pages.put("/upgrades", "upgrades");
    pages.put("/usage", "usage");
    pages.put("/what-if", "whatif");
    pages.put("/changes", "changes");
    pages.put("/problems", "problems");
    pages.put("/nodes", "nodes");
    return pages;
  }

  private static void open(Browser shown, Map<String, String> pages, String who) {
    for (String colours : List.of("light", "dark")) {
      for (String width : List.of("wide", "phone")) {
        shown.colours(colours);
        if (width.equals("wide")) {
          shown.wide();
        } else {
          shown.phone();
        }
        pages.forEach(
            (address, view) -> {
              shown.show(address, view);
              String what = address + ", " + colours + ", " + width;
              shown.assertFlawless(what);
              String name = address.equals("/") ? "now" : address.substring(1).replace('/', '-');
              if (address.startsWith("/rules/") && !address.endsWith("/new")) {
                name = "rule";
              }
              if (address.startsWith("/policies/")) {
                name = "policy";
              }
              shown.picture(who + name + "-" + colours + "-" + width);
            });
      }
    }
    shown.wide();
    shown.colours("light");
  }

  @Test
  void axeFindsNothingOnAnyPageOfAdministrators() {
    open(browser, pages(), "");
  }

  @Test
  void axeFindsNothingOnAnyPageOfUsers() {
    try (Browser user = new Browser(server.url())) {
      user.signIn(server.token("alice's", "user", "alice").secret(), "/");
      Map<String, String> pages = new LinkedHashMap<>();
      pages.put("/me", "me");
      pages.put("/me/usage", "meusage");
      pages.put("/me/refusals", "merefusals");
      pages.put("/me/upgrade", "meupgrade");
      open(user, pages, "user-");
    }
  }

  @Test
  void axeFindsNothingWhereOneSignsIn() {
    try (Browser nobody = new Browser(server.url())) {
      nobody.load("/");
      nobody.await("#token");
      nobody.assertFlawless("signing in");
      nobody.picture("sign-in-light-wide");
      nobody.type("#token", "no token");
      nobody.click("#sign-in-submit");
      nobody.awaitText("#token-error", "unknown");
      nobody.assertFlawless("a wrong token");
    }
  }

  /** As the page writes rates. */
  private static String rate(double number) {
    if (number == 0) {
      return "0";
    }
    if (number < 0.005) {
      return "< 0.01";
    }
    int digits = number < 10 ? 2 : number < 100 ? 1 : 0;
    return BigDecimal.valueOf(number).setScale(digits, RoundingMode.HALF_UP).toPlainString();
  }

  private static boolean isShown(JsonNode now) {
    for (String each : OUTCOMES) {
      String expected = rate(now.path("totals").path(each).asDouble()) + "/s";
      if (!browser.text("#value-" + each).equals(expected)) {
        return false;
      }
    }
    for (JsonNode each : now.path("policies")) {
      String row = "#now-policies tbody tr[data-key=\"" + each.path("policy").asText() + "\"]";
      String shown = browser.text(row);
      if (!shown.contains(rate(each.path("admitted").asDouble()))
          || !shown.contains(rate(each.path("refused").asDouble()))) {
        return false;
      }
    }
    return true;
  }

  @Test
  void nowShowsWhatTheApiCounts() {
    browser.show("/", "now");
    Await.until(
        "the page shows the sums of the API",
        () -> {
          JsonNode now = server.get("/outcomes");
          return now.path("totals").path("admitted").asDouble() > 0
              && now.path("totals").path("refused").asDouble() > 0
              && now.path("totals").path("shadowRefused").asDouble() > 0
              && isShown(now);
        });
    Await.until(
        "who was refused most is first",
        () ->
            browser
                .text("#now-top tbody tr")
                .contains(server.get("/refused?limit=1").get(0).path("userId").asText()));
    browser.awaitText("#health-nodes", "1 node");
    browser.awaitText("#side .live", "Live: 1 node");
  }

  @Test
  void namesAreTextWhateverTheyAre() {
    for (String each : List.of(HTML, FORMULA, ARABIC)) {
      browser.show("/callers", "callers");
      browser.choose("#caller-kind", "user");
      browser.type("#caller-id", each);
      browser.click("#caller-find");
      browser.await("#caller-buckets-table tbody tr");
      browser.awaitText("#title", each);
      assertEquals(
          true,
          browser.run(
              "return [...document.querySelectorAll('#title bdi, #title [dir=auto]')]"
                  + ".some(e => e.textContent === arguments[0]);",
              each),
          each + " doesn't turn the text beside it");
    }
    browser.show("/usage?by=user", "usage");
    for (String each : List.of(HTML, FORMULA, ARABIC)) {
      browser.awaitText("#usage tbody", each);
    }
    assertFalse(browser.has("#view img"), "a name became an element");
    assertFalse(browser.run("return document.title;").equals("hit"), "a name was run");
    String csv =
        browser.read((String) browser.run("return document.querySelector('#usage-csv').href;"));
    assertTrue(csv.contains("'" + FORMULA), csv);
    assertTrue(csv.contains(ARABIC), csv);
    assertFalse(csv.lines().anyMatch(each -> each.startsWith("=")), csv);
    browser.assertFlawless("names of all kinds");
  }
}
