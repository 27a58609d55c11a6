package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.seeds.RunOneIn;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Puts names that are HTML, formulas, right-to-left or endless wherever a page shows a name. Some
 * come by the API, some by the database, as another program may write them.
 */
@NeedsChromium
@RunOneIn(value = 2, own = true)
class NamesTest {
  private static final int NAME = 50; // as long as a tier may be
  private static final int USER = 500;
  private static final int TEXT = 1_000;
  private static final int HUGE = 10_000;

  private static ConsoleServer server;

  /** A name as it is shown if its characters aren't seen. */
  private static final Map<String, String> HIDDEN =
      Map.of(Names.TURNED, "U+202Eevil", Names.UNSEEN, "aliU+200Bce");

  private static Browser browser;

  @BeforeAll
  static void start() {
    server = new ConsoleServer();
    server.rule("free", "/api/posts", 1, 3_600, "ENFORCED");
    for (String each : names(NAME)) {
      write(each, each);
    }
    write("of the longest name", Names.endless(TEXT));
    HIDDEN.keySet().forEach(each -> write(each, each));
    browser = new Browser(server.url());
  }

  private static void administrator() {
    browser.forgetSession();
    browser.signIn(server.secret(Names.HTML, "weir-admin"), "/");
  }

  private static List<String> names(int length) {
    List<String> names = new ArrayList<>(Names.ALL);
    names.add(Names.endless(length));
    return names;
  }

  /** Writes rows of all tables that have a name or a text. */
  private static void write(String name, String text) {
    OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
    OffsetDateTime hour = now.withMinute(0).withSecond(0).withNano(0);
    String user = text.length() == TEXT ? Names.endless(USER) : name;
    server.sql(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds, state,"
            + " algorithm, updated_by) VALUES (?, ?, 5, 60, 'ENFORCED', ?, ?)",
        cut(name, NAME),
        "/api/" + cut(name, NAME),
        cut(name, 50),
        cut(name, NAME));
    server.sql(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds, state)"
            + " VALUES (?, '/api/posts', 5, 60, 'ENFORCED')",
        cut(name, NAME));
    server.sql("INSERT INTO weir.user_tiers (user_id, tier) VALUES (?, ?)", user, cut(name, NAME));
    server.sql(
        "INSERT INTO weir.switches (policy, state, until, reason, set_by) VALUES (?, 'SHADOW', ?, ?, ?)",
        cut(name, NAME),
        now.plusHours(1),
        text,
        cut(name, NAME));
    server.sql(
        "INSERT INTO weir.anomalies (user_id, endpoint, score, action, reason, since, until) VALUES (?,"
            + " ?, 5, 'MONITOR', ?, ?, ?)",
        user,
        cut(text, USER),
        text,
        now,
        now.plusHours(1));
    server.sql(
        "INSERT INTO weir.tier_upgrade_requests (user_id, current_tier, requested_tier, reason, status,"
            + " pending_of, answer, created_at) VALUES (?, ?, ?, ?, 'PENDING', ?, ?, ?)",
        user,
        cut(name, NAME),
        cut(name, NAME),
        text,
        user,
        text,
        now);
    server.sql(
        "INSERT INTO weir.quota_grants (user_id, permits, remaining, reason, granted_by, created_at,"
            + " version) VALUES (?, 5, 5, ?, ?, ?, 1)",
        user,
        text,
        cut(name, NAME),
        now);
    refuse(user, cut(text, USER), cut(name, NAME));
    for (String table : List.of("usage_hourly", "usage_daily")) {
      server.sql(
          "INSERT INTO weir."
              + table
              + " (user_id, endpoint, starts_at, requests, refused, permits, peak_minute) VALUES"
              + " (?, ?, ?, 30, 3, 27, 9)",
          user,
          cut(text, USER),
          table.equals("usage_hourly") ? hour : hour.withHour(0));
    }
    server.sql(
        "INSERT INTO weir.weir_nodes (node, started_at, seen_at, admitted, refused, degraded, dropped,"
            + " breaker) VALUES (?, ?, ?, 1, 1, 0, 0, 'CLOSED')",
        cut(name, NAME),
        now,
        now.plusHours(1)); // longer than the tests take
  }

  /** Writes a refusal of this moment. */
  private static void refuse(String user, String endpoint, String policy) {
    server.sql(
        "INSERT INTO weir.rate_limit_violations (user_id, endpoint, timestamp, attempted_count, policy)"
            + " VALUES (?, ?, ?, 3, ?)",
        user,
        endpoint,
        OffsetDateTime.now(ZoneOffset.UTC),
        policy);
  }

  private static String cut(String text, int most) {
    return text.substring(0, Math.min(text.length(), most));
  }

  @AfterAll
  static void stop() {
    Closing.inOrder(browser, server);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Shows a page, which must have all names as texts and stay as broad as the window. */
  private static void assertShows(String address, String view, String place, List<String> names) {
    browser.phone();
    browser.show(address, view);
    names.forEach(each -> browser.awaitText(place, each));
    assertFitAsTexts(cut(address, NAME) + " on a phone");
    browser.wide();
    assertFitAsTexts(cut(address, NAME));
    browser.assertNoFaults(cut(address, NAME)); // a name that is run would offend the policy
  }

  private static void assertFitAsTexts(String page) {
    browser.assertFits(page);
    assertFalse(browser.has("#view img, #banners img, #side img"), "a name is an element");
    assertFalse(browser.run("return document.title;").equals("hit"), "a name was run");
  }

  @Test
  void namesAreTextsOnEveryPageOfAdministrators() {
    List<String> names = names(NAME);
    administrator();
    browser.awaitText("#who", Names.HTML);
    // The first page shows the refusals of ten minutes, which other tests may have taken.
    names.forEach(each -> refuse(each, cut(each, USER), cut(each, NAME)));
    assertShows("/", "now", "#now-top", names);
    assertShows("/policies", "policies", "#policies", names);
    assertShows("/rules", "rules", "#rules", names);
    assertShows("/callers", "callers", "#most-refused", names);
    assertShows("/switches", "switches", "#switches", names);
    assertShows("/switches", "switches", "#switches", List.of(Names.endless(TEXT)));
    assertShows("/anomalies", "anomalies", "#anomalies", names);
    assertShows("/upgrades", "upgrades", "#upgrades", names);
    assertShows("/usage?by=user", "usage", "#usage", names);
    assertShows("/usage?by=endpoint", "usage", "#usage", names);
    assertShows("/usage?by=tier", "usage", "#usage", names);
    assertShows("/changes", "changes", "#changes", names);
    assertShows("/problems", "problems", "#problems", List.of(Names.HTML, Names.ARABIC));
    assertShows("/nodes", "nodes", "#nodes", names);
    browser.phone();
    browser.assertAccessible("odd names on a phone");
    browser.picture("names-light-phone");
  }

  @Test
  void namesAreTextsOnThePagesOfOneAndTurnNothingBesideThem() {
    administrator();
    for (String each : names(USER)) {
      server.check(each, "/api/posts");
      assertShows("/callers/user/" + encoded(each), "callers", "#title", List.of(each));
      browser.await("#caller-buckets-table tbody tr");
      assertEquals(
          true,
          browser.run(
              "return [...document.querySelectorAll('#title bdi, #title [dir=auto]')]"
                  + ".some(e => e.textContent === arguments[0]);",
              each),
          each + " doesn't turn the text beside it");
    }
    assertShows(
        "/callers/user/" + encoded(Names.HTML), "callers", "#account-grants", List.of(Names.HTML));
    assertShows("/policies/" + encoded(Names.HTML), "policy", "#view", List.of(Names.HTML));
    assertShows(
        "/rules/new?endpointPattern=" + encoded(Names.HTML), "rule", "#title", List.of("New rule"));
  }

  @Test
  void charactersThatNobodySeesAreNamed() {
    administrator();
    HIDDEN.keySet().forEach(each -> refuse(each, each, each));
    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("/", "now");
    pages.put("/policies", "policies");
    pages.put("/rules", "rules");
    pages.put("/callers", "callers");
    pages.put("/switches", "switches");
    pages.put("/anomalies", "anomalies");
    pages.put("/upgrades", "upgrades");
    pages.put("/usage?by=user", "usage");
    pages.put("/usage?by=endpoint", "usage");
    pages.put("/usage?by=tier", "usage");
    pages.put("/changes", "changes");
    pages.put("/problems", "problems");
    pages.put("/nodes", "nodes");
    pages.forEach((address, view) -> assertNamed(address, view, HIDDEN.values()));
    for (Map.Entry<String, String> each : HIDDEN.entrySet()) {
      assertNamed("/callers/user/" + encoded(each.getKey()), "callers", List.of(each.getValue()));
      browser.awaitText("#title", each.getValue());
    }
    browser.forgetSession();
    browser.signIn(server.token("turned", "user", Names.TURNED).secret(), "/me");
    browser.awaitText("#who", HIDDEN.get(Names.TURNED));
    assertNamed("/me/upgrade", "meupgrade", List.of(HIDDEN.get(Names.TURNED)));
    assertNamed("/me/usage", "meusage", List.of(HIDDEN.get(Names.TURNED)));
  }

  /** Shows a page, which names the characters in all that people read of it. */
  private static void assertNamed(String address, String view, Collection<String> names) {
    browser.show(address, view);
    names.forEach(each -> browser.awaitText("#view", each));
    assertEquals(
        List.of(),
        browser.run(
            "const hidden = /[\\u202e\\u200b]/; const found = [];"
                + " const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);"
                + " while (walker.nextNode()) { const node = walker.currentNode;"
                + " if (hidden.test(node.data)) found.push(node.parentNode.outerHTML); }"
                + " for (const each of document.querySelectorAll('[title], [aria-label]'))"
                + " if (hidden.test(each.title + each.ariaLabel)) found.push(each.outerHTML);"
                + " if (hidden.test(document.title)) found.push(document.title);"
                + " return found.slice(0, 5);"),
        address);
  }

  @Test
  void rowsAreCardsOnAPhone() {
    administrator();
    browser.phone();
    for (String each :
        List.of("switches", "policies", "rules", "anomalies", "upgrades", "problems")) {
      browser.show("/" + each, each);
      browser.await("#" + each + " tbody tr");
      assertEquals(
          List.of(),
          browser.run(
              "const cut = [...document.querySelectorAll(`#${arguments[0]} tbody :is(td, button)`)]"
                  + ".filter(e => e.getBoundingClientRect().width > 0"
                  + " && e.getBoundingClientRect().right > innerWidth);"
                  + " const box = document.querySelector(`#${arguments[0]}`).parentElement;"
                  + " return [...cut.map(e => e.outerHTML.slice(0, 200)).slice(0, 5),"
                  + " ...box.scrollWidth > box.clientWidth + 1 ? ['the table is scrolled'] : []];",
              each),
          each);
      browser.assertAccessible(each + " as cards");
    }
    browser.wide();
  }

  @Test
  void aTextOfTenThousandIsRefusedAtItsFieldAndBreaksNoPage() {
    administrator();
    browser.wide();
    browser.show("/switches", "switches");
    browser.type("#switch-policy", "api.posts-3600s");
    browser.choose("#switch-reason", Names.endless(HUGE));
    browser.choose("#switch-state", "SHADOW");
    browser.click("#switch-save");
    browser.awaitText("#switch-reason-error", "1000");
    browser.assertFits("a reason that is too long");
    browser.phone();
    String nobody = Names.endless(HUGE);
    browser.show("/callers/user/" + nobody, "callers");
    browser.await("#caller-buckets .notice");
    browser.assertFits("a caller whose name is too long");
    browser.show("/policies/" + nobody, "policy");
    browser.awaitText("#title", "Not found");
    browser.assertFits("a policy whose name is too long");
    browser.assertNoFaults("texts that are too long");
    browser.wide();
  }

  @Test
  void namesAreTextsOnThePagesOfAUser() {
    for (String each : names(NAME)) {
      server.check(each, "/api/posts");
      Await.until("it is refused", () -> !server.check(each, "/api/posts"));
      browser.forgetSession();
      browser.signIn(server.token("t" + each.length(), "user", each).secret(), "/me");
      browser.awaitText("#who", each);
      assertShows("/me", "me", "#view", List.of("My limits"));
      assertShows("/me/refusals", "merefusals", "#my-refusals", List.of("/api/posts"));
      assertShows("/me/upgrade", "meupgrade", "#my-requests", List.of(cut(each, NAME)));
      assertShows("/me/usage", "meusage", "#my-endpoints", List.of(cut(each, NAME)));
    }
  }
}
