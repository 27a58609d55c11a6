package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.RedisServer;
import io.weir.seeds.Seeds;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests the pages with 1,000 rules and very many callers, whose buckets are in Redis. */
@NeedsChromium
class ManyTest {
  private static final int RULES = 1_000;
  private static final int CALLERS = Seeds.deep() ? 100_000 : 10_000;
  private static final int AT_ONCE = 1_000;
  private static final int LOOKS = Seeds.deep() ? 3 : 1;
  private static final int FIRST_ROWS = 50;

  private static RedisServer redis;
  private static ConsoleServer server;
  private static Browser browser;

  @BeforeAll
  static void start() {
    redis = RedisServer.start();
    server =
        new ConsoleServer(
            Map.of(
                "weir.store", redis.url(),
                "weir.store.timeout", "10s",
                "weir.secret", "of the tests",
                "weir.usage.interval", "1s"));
    writeRules();
    long begin = System.nanoTime();
    for (int first = 0; first < CALLERS; first += AT_ONCE) {
      server.checkAll(first, AT_ONCE, "/api/part0");
    }
    say(CALLERS + " callers were counted", begin);
    browser = new Browser(server.url());
    browser.signIn(server.secret("on call", "weir-admin"), "/");
  }

  /** Writes rows at once: each rule that is saved has all others compiled again. */
  private static void writeRules() {
    for (int i = 0; i < RULES; i++) {
      server.sql(
          "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds,"
              + " state) VALUES (?, ?, ?, 3600, 'ENFORCED')",
          i % 3 == 0 ? "*" : i % 3 == 1 ? "free" : "gold",
          "/api/part" + i,
          10 + i);
    }
    server.refresh();
    Await.until("all rules hold", () -> server.get("/policies").size() == RULES);
  }

  @AfterAll
  static void stop() {
    Closing.inOrder(browser, server, redis);
  }

  private static void say(String what, long begin) {
    System.out.println(what + " in " + (System.nanoTime() - begin) / 1_000_000 + " ms");
  }

  private static long rows(String table) {
    return (Long)
        browser.run("return document.querySelectorAll(arguments[0]).length;", table + " tbody tr");
  }

  /** The longest that the page didn't react to anything since it was asked last. */
  private static void watchForFreezes() {
    browser.run(
        "window.longest = 0; let last = performance.now(); clearInterval(window.watching);"
            + " window.watching = setInterval(() => { const now = performance.now();"
            + " window.longest = Math.max(window.longest, now - last); last = now; }, 10);");
  }

  private static void search(String address, String view, String table) {
    watchForFreezes();
    long begin = System.nanoTime();
    browser.show(address, view);
    browser.awaitText(table + " tbody", "/api/part");
    say(address + " with " + RULES + " rules is shown", begin);
    assertEquals(FIRST_ROWS, rows(table), "the first rows");
    browser.awaitText(".found", "1,000");
    begin = System.nanoTime();
    browser.type("#filter-text", "/api/part777");
    Await.until("one is found", () -> rows(table) == 1);
    say(address + ": one is found", begin);
    System.out.println(address + " didn't react for " + browser.run("return longest;") + " ms");
    browser.assertFlawless(address + " with many rules");
    browser.click(table + " tbody a");
    browser.awaitText("#view", "/api/part777");
  }

  @Test
  void rulesAndPoliciesCanBeSearchedAmongAThousand() {
    search("/rules", "rules", "#rules");
    search("/policies", "policies", "#policies");
  }

  @Test
  void oneCallerAmongVeryManyIsFound() {
    String caller = "caller" + (CALLERS - 7);
    for (int i = 0; i < LOOKS; i++) {
      browser.show("/callers", "callers");
      browser.choose("#caller-kind", "user");
      browser.type("#caller-id", caller);
      long begin = System.nanoTime();
      browser.click("#caller-find");
      browser.awaitText("#caller-buckets-table tbody", "/api/part0");
      say("one of " + CALLERS + " callers is found, by " + RULES + " rules,", begin);
      browser.show("/", "now");
    }
    browser.show("/callers/user/" + caller, "callers");
    browser.awaitText("#caller-buckets-table tbody tr", "9 of 10 per ");
    assertTrue(rows("#caller-buckets-table") >= 1);
    browser.assertFlawless("one of very many callers");
  }
}
