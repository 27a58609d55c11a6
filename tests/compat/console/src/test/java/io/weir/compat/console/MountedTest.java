package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.compat.console.MountedApplication.Mounting;
import io.weir.rules.Rule;
import io.weir.seeds.Seeds;
import io.weir.test.log.LogLines;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.WebDriver;

/** Tests the console within an application that signs people in by itself. */
@NeedsChromium
class MountedTest {
  private static final String RULE =
      "{\"name\": \"forged\", \"tier\": \"free\", \"endpointPattern\": \"/x\", \"limitCount\": 3,"
          + " \"windowSeconds\": 60}";

  /** One in a short build, each on its day. */
  private static List<Mounting> mountings() {
    return Seeds.today(List.of(Mounting.values()), Mounting.values().length);
  }

  @ParameterizedTest
  @MethodSource("mountings")
  void administratorsAndUsersUseItOnceTheApplicationHasSignedThemIn(Mounting mounting) {
    try (MountedApplication application = new MountedApplication(mounting);
        Browser browser = new Browser(application.url(), mounting.path())) {
      browser.load("/rules/new");
      browser.await("#sign-in-link");
      browser.assertFlawless("nobody is signed in");
      signInBeside(browser, "root", "boss");
      administers(application, browser);
      noForeignPageChangesAnything(application, browser);

      browser.driver().manage().deleteAllCookies();
      browser.load("/");
      browser.await("#sign-in-link");
      signInBeside(browser, "alice", "customer");
      browser.await("#my-limits-table tbody tr");
      browser.awaitText("#my-limits-table", "/shop");
      browser.assertFlawless("limits of a user");
      assertFalse(browser.has("#nav-rules"), "the menu has no pages of administrators");
      browser.show("/me/usage", "meusage");
      browser.assertFlawless("usage of a user");
      assertEquals(403, browser.send("GET", "admin/ratelimit/rules", ""));
    }
  }

  /** A page that is left breaks its stream off, which happens all the time. */
  @Test
  void aPageThatIsLeftIsNotLoggedAsAnError() {
    try (LogLines jersey = new LogLines("org.glassfish.jersey");
        MountedApplication application = new MountedApplication(Mounting.JERSEY)) {
      try (EventStreams left =
          new EventStreams(application.url(), "Cookie", MountedTest::administrator)) {
        left.takeAll();
        assertEquals(EventStreams.PLACES, left.size());
      }
      AtomicInteger limit = new AtomicInteger(1);
      try (EventStreams next =
          new EventStreams(application.url(), "Cookie", MountedTest::administrator)) {
        Await.until(
            "all places are free again",
            () -> {
              Rule changed = Rule.builder("*", "/" + limit.incrementAndGet()).limit(1).build();
              application.rules().rules().save(changed, "the tests");
              next.takeAll();
              return next.size() >= EventStreams.PLACES;
            });
      }
      assertEquals(List.of(), jersey.errors());
    }
  }

  private static String administrator(int number) {
    return "who=root" + number + ".boss";
  }

  /** Uses the application's page, which opens in a tab of its own, and comes back. */
  private static void signInBeside(Browser browser, String name, String role) {
    WebDriver driver = browser.driver();
    String console = driver.getWindowHandle();
    browser.click("#sign-in-link");
    Await.until("the application's page opens", () -> driver.getWindowHandles().size() == 2);
    for (String each : driver.getWindowHandles()) {
      if (!each.equals(console)) {
        driver.switchTo().window(each);
      }
    }
    browser.type("#as", name);
    browser.type("#role", role);
    browser.click("#enter");
    browser.await("#welcome");
    driver.close();
    driver.switchTo().window(console);
    Await.until(
        "the console goes on",
        () -> {
          browser.run("document.getElementById('sign-in-continue')?.click();");
          return browser.has("#who");
        });
    browser.awaitText("#who", name);
  }

  private static void administers(MountedApplication application, Browser browser) {
    application.awaitSaved(browser, "/api/mounted");
    assertFalse(browser.has("#sign-out"), "the application signs people out");
    browser.awaitText("#side .live", "Live: 1 node");
    browser.await("#nav-me-upgrade"); // the menu is as long as it gets
    browser.assertSideFits();
    browser.show("/", "now");
    browser.assertFlawless("now");
    browser.show("/policies", "policies");
    browser.awaitText("#policies tbody", "/shop");
    browser.show("/callers/user/alice", "callers");
    browser.awaitText("#caller-buckets-table tbody", "/shop");
    browser.assertFlawless("a caller");
  }

  private static void noForeignPageChangesAnything(
      MountedApplication application, Browser browser) {
    assertEquals(200, browser.send("POST", "admin/ratelimit/rules?dryRun=true", RULE));
    Object unmarked =
        browser
            .driver()
            .executeAsyncScript(
                "const [body, done] = arguments; fetch('../admin/ratelimit/rules', {method: 'POST',"
                    + " headers: {'Content-Type': 'application/json'}, body})"
                    + ".then(r => done(r.status), e => done(-1));",
                RULE);
    assertEquals(403L, unmarked, "a request without the console's field");
    assertFalse(
        application.rules().rules().all().stream().anyMatch(each -> each.name().equals("forged")));
  }
}
