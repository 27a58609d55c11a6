package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Opens each page on a server under load, light and dark, wide and on a phone: axe finds nothing,
 * no script fails, and nothing is asked of another server. Takes the pictures.
 */
@NeedsChromium
@ExtendWith(SharedConsole.class)
@Order(0) // so that the pictures show no rules of other tests
class PagesTest {
  private static final List<String> WAYS =
      List.of("light-wide", "dark-wide", "dark-phone", "light-phone");

  private static final boolean ARE_DOCUMENTED = Boolean.getBoolean("weir.test.screenshots");

  /** How many pages were looked at. */
  private static int looked;

  /** Address and view by the name of the picture. */
  private record Shown(String address, String view) {}

  private static Map<String, Shown> pagesOfAdministrators() {
    JsonNode rule = ruleOf("/api/posts", "free");
    Map<String, Shown> pages = new LinkedHashMap<>();
    pages.put("now", new Shown("/", "now"));
    pages.put("policies", new Shown("/policies", "policies"));
    pages.put("policy", new Shown("/policies/" + rule.path("name").asText(), "policy"));
    pages.put("rules", new Shown("/rules", "rules"));
    pages.put("rule-new", new Shown("/rules/new", "rule"));
    pages.put("rule", new Shown("/rules/" + rule.path("id").asText(), "rule"));
    pages.put("callers", new Shown("/callers", "callers"));
    pages.put("caller", new Shown("/callers/user/alice", "callers"));
    pages.put("caller-address", new Shown("/callers/ip/192.0.2.7", "callers"));
    pages.put("switches", new Shown("/switches", "switches"));
    pages.put("access", new Shown("/access", "access"));
    pages.put("anomalies", new Shown("/anomalies", "anomalies"));
    pages.put("upgrades", new Shown("/upgrades", "upgrades"));
    pages.put("usage", new Shown("/usage", "usage"));
    pages.put("usage-endpoint", new Shown("/usage?by=endpoint&span=168", "usage"));
    pages.put("usage-tier", new Shown("/usage?by=tier&span=168", "usage"));
    pages.put(
        "what-if",
        new Shown("/what-if?endpointPattern=/api/*&limitCount=200&windowSeconds=3600", "whatif"));
    pages.put("changes", new Shown("/changes", "changes"));
    pages.put("problems", new Shown("/problems", "problems"));
    pages.put("nodes", new Shown("/nodes", "nodes"));
    pages.put("nowhere", new Shown("/nowhere", "none"));
    return pages;
  }

  private static Map<String, Shown> pagesOfUsers() {
    Map<String, Shown> pages = new LinkedHashMap<>();
    pages.put("user-me", new Shown("/me", "me"));
    pages.put("user-me-usage", new Shown("/me/usage", "meusage"));
    pages.put("user-me-refusals", new Shown("/me/refusals", "merefusals"));
    pages.put("user-me-upgrade", new Shown("/me/upgrade", "meupgrade"));
    return pages;
  }

  private static JsonNode ruleOf(String pattern, String tier) {
    for (JsonNode each : SharedConsole.server().get("/rules").path("items")) {
      if (each.path("endpointPattern").asText().equals(pattern)
          && each.path("tier").asText().equals(tier)) {
        return each;
      }
    }
    throw new AssertionError("no rule for " + pattern);
  }

  private static void open(Browser browser, Map<String, Shown> pages) {
    pages.forEach(
        (name, page) -> {
          browser.wide();
          browser.show(page.address(), page.view());
          if (name.equals("what-if")) {
            browser.await("#what-if-tiles");
          }
          look(browser, name);
        });
    browser.wide();
    browser.colours("light");
  }

  /**
   * Looks at a page light and dark, wide and narrow: in a usual build in one of the four ways,
   * which is another each day, and of which the pages of a build have all. Each page must fit into
   * both widths in each build.
   */
  private static void look(Browser browser, String name) {
    List<String> today = waysOfNext();
    for (String way : WAYS) {
      boolean isLooked = today.contains(way);
      if (!isLooked && way.startsWith("dark")) {
        continue;
      }
      browser.colours(way.substring(0, way.indexOf('-')));
      if (way.endsWith("wide")) {
        browser.wide();
      } else {
        browser.phone();
      }
      browser.assertFits(name + ", " + way);
      if (isLooked) {
        browser.assertAccessible(name + ", " + way);
        browser.picture(name + "-" + way);
      }
    }
    browser.assertNoFaults(name);
  }

  private static List<String> waysOfNext() {
    if (ARE_DOCUMENTED) {
      return WAYS;
    }
    List<String> turned = new ArrayList<>(WAYS);
    Collections.rotate(turned, looked++);
    return Seeds.today(turned, WAYS.size());
  }

  @Test
  void nothingIsWrongWithAnyPageOfAdministrators() {
    ConsoleServer server = SharedConsole.server();
    Await.until("somebody is refused", () -> !server.get("/refused").isEmpty());
    server.put(
        "PUT",
        ConsoleServer.ADMIN + "/switches/" + ruleOf("/api/search", "*").path("name").asText(),
        "{\"state\": \"SHADOW\", \"reason\": \"A partner moves its data\", \"until\": \""
            + Instant.now().plus(Duration.ofHours(2))
            + "\"}");
    entry("DENY", "203.0.113.0/24", "\"reason\": \"Scraper, ticket 4711\"");
    entry("ALLOW", "user:monitor", "\"counted\": true, \"reason\": \"Probes of the night watch\"");
    entry("DENY", "user:bert", "\"state\": \"SHADOW\", \"reason\": \"Shares his account?\"");
    server.ban("policy:login:ip:198.51.100.7", Duration.ofHours(1), "login");
    server.ban("policy:login:ip:198.51.100.23", Duration.ofMinutes(80), "login");
    Await.until("bans are listed", () -> server.get("/access?action=BAN").path("items").size() > 1);
    Browser browser = SharedConsole.administrator("/");
    Await.until("the page is live", () -> browser.text("#side .live").startsWith("Live: 1 node"));
    if (ARE_DOCUMENTED) {
      server.awaitLoad(Duration.ofMinutes(8)); // then the charts have something to show
    }
    open(browser, pagesOfAdministrators());
  }

  private static void entry(String action, String subject, String more) {
    SharedConsole.server()
        .put(
            "POST",
            ConsoleServer.ADMIN + "/access",
            "{\"action\": \"" + action + "\", \"subject\": \"" + subject + "\", " + more + "}");
  }

  @Test
  void theLinksBesideATitleStayInOneLine() {
    Browser browser = SharedConsole.administrator("/");
    browser.show("/", "now");
    for (int width : new int[] {1280, 1366, 1440, 1536, 1920}) {
      browser.width(width);
      browser.assertHeadsInLine("now, " + width);
    }
    browser.wide();
  }

  @Test
  void theSideBarFitsIntoTheWindow() {
    Browser browser = SharedConsole.administrator("/");
    browser.awaitText("#side .live", "Live: 1 node");
    browser.assertSideFits();
    assertEquals(
        true,
        browser.run(
            "return document.getElementById('sign-out').getBoundingClientRect().bottom <="
                + " innerHeight;"),
        "one can sign out");
  }

  @Test
  void oneTypesACallerAtOnceAndSeesWhatIsLeftAsABar() {
    Browser browser = SharedConsole.administrator("/callers");
    for (String before : List.of("", "/nodes")) {
      if (!before.isEmpty()) {
        browser.show(before, "nodes");
        browser.show("/callers", "callers");
      }
      Await.until(
          "the field is focused, first page or not: " + before,
          () -> browser.run("return document.activeElement.id;").equals("caller-id"));
    }
    browser.show("/callers/user/alice", "callers");
    browser.await("#caller-buckets-table .window");
    assertEquals(
        List.of(),
        browser.run(
            "return [...document.querySelectorAll('#caller-buckets-table .window')].map(e => {"
                + " const [left, limit] = e.innerText.replaceAll(',', '').match(/\\d+/g);"
                + " return [e.innerText, 100 * left / limit,"
                + " Number(e.querySelector('.left').getAttribute('width'))];"
                + " }).filter(([text, left, width]) => Math.abs(left - width) > .01);"));
  }

  @Test
  void nothingIsWrongWithAnyPageOfUsers() {
    open(SharedConsole.second("user", "alice", "/me"), pagesOfUsers());
  }

  @Test
  void nothingIsWrongWithThePageThatSignsIn() {
    Browser browser = SharedConsole.second("user", "alice", "/me");
    browser.forgetSession();
    browser.load("/");
    browser.await("#token");
    look(browser, "sign-in");
    browser.wide();
    browser.type("#token", "no token");
    browser.click("#sign-in-submit");
    browser.awaitText("#token-error", "unknown");
    browser.assertFlawless("a wrong token");
    assertEquals("no token", browser.value("#token"), "it can be mended");
  }
}
