package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.seeds.RunOneIn;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Compares what pages show to what the API counts. */
@NeedsChromium
@ExtendWith(SharedConsole.class)
@RunOneIn(value = 2, own = true)
class FiguresTest {
  private static final List<String> OUTCOMES =
      List.of("admitted", "refused", "soft", "shadowRefused", "degraded");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter TODAY = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.UK);
  private static final DateTimeFormatter ANOTHER_DAY =
      DateTimeFormatter.ofPattern("d MMM, HH:mm", Locale.UK);

  private final ConsoleServer server = SharedConsole.server();
  private final LocalDate began = LocalDate.now(ZoneId.systemDefault());

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

  /** As the page writes numbers. */
  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Whether a row of a table has these texts, each as a cell or a part of one. */
  private static boolean hasRow(Browser browser, String table, String key, String... texts) {
    String row =
        browser.text(table + " tbody tr[data-key=" + JSON.valueToTree(key).toString() + "]");
    return !row.isEmpty() && List.of(texts).stream().allMatch(row::contains);
  }

  private static boolean showsRates(Browser browser, JsonNode now) {
    List<String> expected =
        OUTCOMES.stream()
            .map(each -> rate(now.path("totals").path(each).asDouble()) + "/s")
            .toList();
    if (!expected.equals(browser.texts(OUTCOMES.stream().map(each -> "#value-" + each).toList()))) {
      return false;
    }
    for (JsonNode each : now.path("policies")) {
      if (!hasRow(
          browser,
          "#now-policies",
          each.path("policy").asText(),
          rate(each.path("admitted").asDouble()),
          rate(each.path("refused").asDouble()))) {
        return false;
      }
    }
    return true;
  }

  @Test
  void nowShowsTheRatesOfAllNodes() {
    Browser browser = SharedConsole.administrator("/");
    Await.until(
        "the page shows the sums of the API",
        () -> {
          JsonNode now = server.get("/outcomes");
          JsonNode totals = now.path("totals");
          return totals.path("admitted").asDouble() > 0
              && totals.path("refused").asDouble() + totals.path("shadowRefused").asDouble() > 0
              && showsRates(browser, now);
        });
    Await.until("callers are refused", () -> !mostRefused().isEmpty());
    SharedConsole.withoutLoad(
        () ->
            Await.until(
                "callers are in the order in which they were refused, with their figures",
                () -> showsTheMostRefused(browser)));
    browser.awaitText("#health-nodes", "1 node");
    browser.awaitText("#health-store", "reached by all");
    browser.awaitText("#health-problems", String.valueOf(server.get("/problems").size()));
    browser.awaitText("#side .live", "Live: 1 node");
  }

  @Test
  void nowBeginsWithWhatWasDecidedBeforeThePageWasOpened() {
    Await.until(
        "the server has kept some points",
        () -> {
          JsonNode recent = server.get("/outcomes/recent");
          return recent.path("points").size() > 2 && !recent.path("policies").isEmpty();
        });
    Browser browser = SharedConsole.administrator("/");
    browser.reload();
    browser.click("#now-chart-admitted summary");
    Await.until(
        "the chart has a point of before",
        () ->
            Boolean.TRUE.equals(
                browser.run(
                    "const last = document.querySelector("
                        + "'#now-chart-admitted tbody tr:last-child')?.innerText ?? '';"
                        + " const opened = new Date(performance.timeOrigin);"
                        + " const first = new Date(performance.timeOrigin);"
                        + " first.setHours(...last.split(/\\s/)[0].split(':'), 0);"
                        + " const age = opened - first;"
                        + " return age > 3000 && age < 900000 || age < -80000000;")));
    Await.until(
        "so do the small lines of policies",
        () ->
            Boolean.TRUE.equals(
                browser.run(
                    "const points = document.querySelector('#now-policies polyline')?."
                        + "getAttribute('points') ?? ''; return points.split(' ').length > 2;")));
  }

  private boolean showsTheMostRefused(Browser browser) {
    JsonNode top = mostRefused();
    for (int i = 0; i < top.size(); i++) {
      String row = browser.text("#now-top tbody tr:nth-child(" + (i + 1) + ")");
      if (!row.startsWith(top.get(i).path("userId").asText())
          || !row.contains(count(top.get(i).path("refused").asLong()))) {
        return false;
      }
    }
    return true;
  }

  private JsonNode mostRefused() {
    return server.get("/refused?limit=10&from=" + Instant.now().minusSeconds(600));
  }

  @Test
  void nodesShowsWhatEachNodeReports() {
    Browser browser = SharedConsole.administrator("/nodes");
    SharedConsole.withoutLoad(
        () ->
            Await.until(
                "the page shows the counts of the node",
                () -> {
                  JsonNode node = server.get("/nodes").get(0);
                  return hasRow(
                      browser,
                      "#nodes",
                      node.path("node").asText(),
                      count(node.path("admitted").asLong()),
                      count(node.path("refused").asLong()),
                      "Well");
                }));
  }

  @Test
  void aCallersPageShowsEachBucketAndWhenItIsBack() {
    String user = SharedConsole.unique("counted");
    String path = "/api/" + user;
    server.ruleToUseUp("free", path, 10, 3_600);
    server.ruleToUseUp("*", path, 4, 600);
    Await.until("both rules hold", () -> server.caller(user).path("buckets").size() >= 2);
    for (int i = 0; i < 3; i++) {
      assertTrue(server.check(user, path));
    }
    Browser browser = SharedConsole.administrator("/callers/user/" + user);
    Await.until("three of each are used", () -> showsBuckets(browser, user, path, 2));
    browser.awaitText("#caller-summary", "Not refused at the moment");

    Await.until("the smaller limit refuses", () -> !server.check(user, path));
    browser.click("#caller-refresh");
    Await.until("none of the smaller is left", () -> showsBuckets(browser, user, path, 2));
    browser.awaitText("#caller-summary", "Refused at the moment");
    Await.until(
        "the refusal is shown with its policy",
        () -> {
          JsonNode refusals = server.caller(user).path("refusals");
          return !refusals.isEmpty()
              && browser
                  .text("#refusals tbody tr")
                  .contains(refusals.get(0).path("policy").asText());
        });
    browser.click("[data-explain]");
    browser.awaitText("#tried", "It would be refused.");
    browser.type("#try-cost", "11");
    browser.click("#try");
    browser.awaitText("#tried", "even after a wait");

    String full = "#caller-buckets-table tbody tr:first-child [data-reset]";
    browser.click(full);
    browser.click("#reset-bucket-yes");
    browser.awaitText("#caller-summary", "Right now it would be admitted");
    assertTrue(server.check(user, path), "the bucket is reset");
  }

  private boolean showsBuckets(Browser browser, String user, String path, int most) {
    int shown = 0;
    for (JsonNode each : server.caller(user).path("buckets")) {
      if (!each.path("endpoint").asText().equals(path)) {
        continue;
      }
      shown++;
      long left = each.path("remaining").asLong();
      String row =
          browser.text(
              "#caller-buckets-table tbody tr[data-key^=\""
                  + each.path("policy").asText()
                  + " \"]");
      if (!row.contains(count(left) + " of " + count(each.path("limit").asLong()) + " per ")
          || !tells(row, each.path("resetTime").asLong())) {
        return false;
      }
    }
    return shown == most;
  }

  /** Whether a row tells a time as of the day on which it was drawn, which may be over by now. */
  private boolean tells(String row, long seconds) {
    return Stream.of(began, LocalDate.now(ZoneId.systemDefault()))
        .anyMatch(day -> row.contains("more at " + moment(seconds, day)));
  }

  /** As the page writes times: before midnight, the end of an hour's window is another day. */
  private static String moment(long seconds, LocalDate today) {
    ZonedDateTime at = Instant.ofEpochSecond(seconds).atZone(ZoneId.systemDefault());
    return (at.toLocalDate().equals(today) ? TODAY : ANOTHER_DAY).format(at);
  }

  @Test
  void usageShowsTheSumsByUserEndpointAndTier() {
    Browser browser = SharedConsole.administrator("/usage?by=user&span=168");
    SharedConsole.withoutLoad(
        () -> {
          for (String by : List.of("user", "endpoint", "tier")) {
            browser.click("#usage-by-" + by);
            browser.awaitText("#usage-list-title", "By " + by);
            Await.until("the page shows the usage by " + by, () -> showsUsage(browser, by));
          }
        });
  }

  private boolean showsUsage(Browser browser, String by) {
    if (browser.count("#usage tbody tr") == 0) {
      return false; // it still reads
    }
    String path = by.equals("user") ? "/usage" : "/usage/" + by + "s";
    String member = by.equals("user") ? "userId" : by;
    // The hours that the page asked for, so that both sum up the same.
    String asked = (String) browser.run("return document.querySelector('#usage-csv').href");
    JsonNode usage =
        server.get(
            path
                + asked
                    .substring(asked.indexOf('?'))
                    .replaceAll("&?format=csv", "")
                    .replaceAll("&?limit=\\d+", ""));
    JsonNode rows = usage.has("items") ? usage.path("items") : usage;
    for (JsonNode each : rows) {
      if (!hasRow(
          browser,
          "#usage",
          each.path(member).asText(),
          count(each.path("requests").asLong()),
          count(each.path("refused").asLong()))) {
        browser.run("dispatchEvent(new HashChangeEvent('hashchange'));");
        return false;
      }
    }
    return !rows.isEmpty() && rows.size() == browser.count("#usage tbody tr");
  }

  @Test
  void aUsersOwnPagesShowWhatTheApiCounts() {
    String user = SharedConsole.unique("self");
    String path = "/api/" + user;
    server.ruleToUseUp("free", path, 5, 3_600);
    Await.until("it is refused", () -> !server.check(user, path));
    Browser browser = SharedConsole.second("user", user, "/me");
    Await.until(
        "what is left and what was used",
        () -> {
          JsonNode status = read(browser, "dashboard/status");
          for (JsonNode each : status.path("rateLimits")) {
            String left =
                count(each.path("remaining").asLong())
                    + " of "
                    + count(each.path("limit").asLong());
            if (!browser.text("#my-limits-table").contains(left + " per ")) {
              return false;
            }
          }
          String tiles = browser.text("#my-tiles");
          JsonNode usage = status.path("usageStats");
          return usage.path("totalRequests").asLong() >= 6
              && tiles.contains("Today" + count(usage.path("requestsToday").asLong()))
              && tiles.contains("month" + count(usage.path("requestsThisMonth").asLong()))
              && tiles.contains("In all" + count(usage.path("totalRequests").asLong()));
        });
    browser.awaitText("#my-state", "Refused at the moment");
    browser.awaitText("#my-limits-table", path);

    browser.show("/me/refusals", "merefusals");
    Await.until(
        "when and by what it was refused",
        () -> {
          long refused = 0;
          for (JsonNode each :
              read(browser, "dashboard/refusals?from=" + Instant.now().minusSeconds(3_600))) {
            refused += each.path("count").asLong();
          }
          return refused > 0
              && browser.text(".found").startsWith(refused + " request")
              && browser.text("#my-refusals").contains(path);
        });

    browser.show("/me/usage", "meusage");
    Await.until(
        "by endpoint",
        () ->
            hasRow(
                browser,
                "#my-endpoints",
                path,
                count(
                    read(browser, "dashboard/status")
                        .at("/usageStats/requestsThisMonth")
                        .asLong())));
    assertFalse(browser.text("#view").contains("alice"), "nothing of others");
  }

  private static JsonNode read(Browser browser, String path) {
    try {
      return JSON.readTree(browser.read("../" + path));
    } catch (JsonProcessingException failed) {
      throw new AssertionError(failed);
    }
  }
}
