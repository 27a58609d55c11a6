package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.Policy;
import io.weir.adapter.EndpointType;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.annotation.Unlimited;
import io.weir.internal.settings.ChangingSettings;
import io.weir.internal.settings.LiveSettings;
import io.weir.store.CalendarWindow;
import io.weir.test.log.LogLines;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverridesTest {
  public static class Shop {
    @RateLimit(limit = 10, window = 60, tiers = @Tier(name = "low", limit = 5))
    public void buy() {}

    @RateLimit(limit = 10, window = 60)
    public void sell() {}

    @RateLimit(limit = 10, window = 60, by = By.KEY, key = "header:a")
    @RateLimit(
        limit = 10,
        window = 60,
        by = {By.KEY, By.IP},
        key = "header:b")
    public void invented() {}

    @RateLimit(limit = 10, window = 60, by = By.KEY, key = "header:a")
    @RateLimit(limit = 10, window = 60, by = By.IP)
    public void bounded() {}

    @RateLimit(limit = 10, window = 1, unit = ChronoUnit.MONTHS)
    public void rent() {}

    @RateLimit(limit = 10, window = 1, unit = ChronoUnit.YEARS, zone = "Asia/Beirut")
    public void own() {}

    public void plain() {}

    @Unlimited
    public void exempt() {}
  }

  private final Map<String, String> given = new HashMap<>();
  private final LiveSettings live = ChangingSettings.over(given);
  private final LogLines refusals = new LogLines(LiveSettings.class);
  private final LogLines warnings = new LogLines("io.weir.internal.policy");

  @AfterEach
  void stop() {
    refusals.close();
    warnings.close();
  }

  private PolicyCatalog catalog() {
    live.refresh();
    return new PolicyCatalog(live, Set.of());
  }

  private static List<LivePolicy> of(PolicyCatalog catalog, String method) {
    return Catalogs.of(catalog, Shop.class, method, EndpointType.JAXRS);
  }

  private void set(String member, String value) {
    given.put("weir.policy.Shop.buy." + member, value);
  }

  /** The zone of settings applies to policies that name none, and days stay 24 hours. */
  @Test
  void weeksMonthsAndYearsThatNameNoZoneGoByThatOfTheSettings() {
    PolicyCatalog catalog = catalog();
    LivePolicy rent = of(catalog, "rent").get(0);
    LivePolicy buy = of(catalog, "buy").get(0);
    assertEquals("1 MONTHS in UTC", calendar(rent));
    given.put("weir.zone", "Europe/Berlin");
    live.refresh();
    assertEquals("1 MONTHS in Europe/Berlin", calendar(rent));
    set("window", "1d");
    live.refresh();
    assertEquals("none", calendar(buy));
    set("zone", "America/Havana");
    live.refresh();
    assertEquals("1 DAYS in America/Havana", calendar(buy));
    set("window", "1w");
    live.refresh();
    assertEquals("1 WEEKS in America/Havana", calendar(buy));
    given.remove("weir.policy.Shop.buy.zone");
    live.refresh();
    assertEquals("1 WEEKS in Europe/Berlin", calendar(buy));
    set("window", "3mo");
    live.refresh();
    assertEquals("3 MONTHS in Europe/Berlin", calendar(buy));
    assertEquals("1 YEARS in Asia/Beirut", calendar(of(catalog, "own").get(0)));
    assertEquals(List.of(), refusals.containing("zone"));
    given.put("weir.zone", "Europe/Bärlin");
    live.refresh();
    assertEquals("3 MONTHS in Europe/Berlin", calendar(buy));
    String refusal = refusals.containing("weir.zone").get(0);
    assertTrue(refusal.contains("must be a time zone such as Europe/Berlin"), refusal);
  }

  private static String calendar(LivePolicy policy) {
    return policy.current().spec().calendar().map(CalendarWindow::toString).orElse("none");
  }

  @Test
  void everyMemberButWhomItCountsCanBeOverridden() {
    set("limit", "100");
    set("window", "1h");
    set("mode", "soft");
    set("exceed-by", "20");
    set("algorithm", "token-bucket");
    set("burst", "50");
    set("cost", "2");
    set("count", "failures");
    set("overshoot", "3");
    set("on-store-failure", "closed");
    set("shadow", "true");
    set("tier.low", "40");
    set("tier.high", "400");
    Policy expected =
        Policy.builder("Shop.buy")
            .limit(100)
            .window(Duration.ofHours(1))
            .mode(Mode.SOFT)
            .exceedBy(20)
            .algorithm(Algorithm.TOKEN_BUCKET)
            .burst(50)
            .cost(2)
            .count(Count.FAILURES)
            .overshoot(3)
            .onStoreFailure(OnStoreFailure.CLOSED)
            .shadow(true)
            .tier("low", 40)
            .tier("high", 400)
            .build();
    assertEquals(expected, of(catalog(), "buy").get(0).current());
  }

  @Test
  void theRefillOfATierCanBeOverridden() {
    set("algorithm", "token-bucket");
    set("limit", "20");
    set("refill", "20");
    set("tier.gold", "100");
    set("tier-refill.gold", "70");
    set("tier.silver", "40");
    Policy policy = of(catalog(), "buy").get(0).current();
    assertEquals(70, policy.forTier("gold").refillFor(100));
    assertEquals(40, policy.forTier("silver").refillFor(40));
    set("tier-refill.copper", "70");
    live.refresh();
    String refusal = refusals.containing("tier-refill.copper = '70'").get(0);
    assertTrue(refusal.contains("must be for a tier of the policy, which has none of this name"));
  }

  @ParameterizedTest
  @CsvSource({"by, user", "key, header:a"})
  void whomAnAnnotationCountsIsItsOwnAffair(String member, String value) {
    set(member, value);
    assertRefused(catalog(), member, value);
  }

  private static void assertRefused(PolicyCatalog catalog, String member, String value) {
    String message =
        assertThrows(InvalidPolicyException.class, () -> of(catalog, "buy")).getMessage();
    assertTrue(
        message.contains(
            Shop.class.getName()
                + "#buy: weir.policy.Shop.buy."
                + member
                + " = "
                + value
                + ": can't be changed by settings"),
        message);
  }

  @Test
  void aPathCantTakeTheNameOfAnAnnotatedPolicy() {
    set("url", "/x");
    set("limit", "1");
    set("window", "1s");
    assertRefused(catalog(), "url", "/x");
  }

  @Test
  void aMistakeInASettingNamesTheSetting() {
    set("burst", "5");
    set("cost", "6");
    String message =
        assertThrows(InvalidPolicyException.class, () -> of(catalog(), "buy")).getMessage();
    assertTrue(
        message.contains(
            "#buy: weir.policy.Shop.buy.cost = 6: must be 1 to 5, the permits at once"),
        message);
    assertTrue(
        message.contains("#buy: weir.policy.Shop.buy.burst = 5: is for TOKEN_BUCKET"), message);
  }

  @Test
  void aChangeIsSeenByWhoeverHoldsThePolicy() {
    LivePolicy buy = of(catalog(), "buy").get(0);
    Policy before = buy.current();
    set("limit", "99");
    set("shadow", "true");
    live.refresh();
    assertEquals(99, buy.current().limit());
    assertTrue(buy.current().shadow());
    assertEquals(before.spec(), buy.current().spec());
    given.clear();
    live.refresh();
    assertEquals(before, buy.current());
  }

  @Test
  void anUnchangedPolicyStaysTheSameObject() {
    PolicyCatalog catalog = catalog();
    Policy sell = of(catalog, "sell").get(0).current();
    of(catalog, "buy");
    set("limit", "99");
    live.refresh();
    assertSame(sell, of(catalog, "sell").get(0).current());
  }

  @Test
  void oneMalformedPolicyRefusesTheChangeOfAll() {
    PolicyCatalog catalog = catalog();
    LivePolicy buy = of(catalog, "buy").get(0);
    LivePolicy sell = of(catalog, "sell").get(0);
    given.put("weir.policy.Shop.sell.limit", "99");
    set("cost", "11");
    live.refresh();
    live.refresh();
    assertEquals(10, sell.current().limit());
    assertEquals(1, buy.current().cost());
    assertEquals(1, refusals.containing("weir.policy.Shop.buy.cost = 11").size());
    given.remove("weir.policy.Shop.buy.cost");
    live.refresh();
    assertEquals(99, sell.current().limit());
  }

  @Test
  void costsByMethodHoldWhileThePolicysOwnIsOne() {
    given.put("weir.cost.POST", "4");
    given.put("weir.cost.PURGE", "50");
    PolicyCatalog catalog = catalog();
    LivePolicy sell = of(catalog, "sell").get(0);
    assertEquals(List.of(1L, 4L, 10L), costs(sell));
    given.put("weir.cost.POST", "7");
    live.refresh();
    assertEquals(List.of(1L, 7L, 10L), costs(sell));
    assertEquals(5, of(catalog, "buy").get(0).now().cost("POST"), "no more than the smallest tier");
    given.put("weir.policy.Shop.sell.cost", "2");
    live.refresh();
    assertEquals(List.of(2L, 2L, 2L), costs(sell));
  }

  @Test
  void withDefaultsMethodsThatAreNotSetCostWhatIsUsual() {
    given.put("weir.cost.defaults", "true");
    given.put("weir.cost.POST", "4");
    PolicyCatalog catalog = catalog();
    LivePolicy.State sell = of(catalog, "sell").get(0).now();
    assertEquals(
        List.of(1L, 4L, 5L, 10L, 1L),
        Stream.of("GET", "POST", "PUT", "DELETE", "PATCH").map(sell::cost).toList());
    assertEquals("5", live.value("weir.cost.PUT"));
    assertEquals("4", live.value("weir.cost.POST"));
    given.put("weir.cost.defaults", "false");
    live.refresh();
    assertEquals("", live.value("weir.cost.PUT"));
    assertEquals(1, of(catalog, "sell").get(0).now().cost("PUT"));
  }

  private static List<Long> costs(LivePolicy policy) {
    LivePolicy.State now = policy.now();
    return List.of(now.cost("GET"), now.cost("POST"), now.cost("PURGE"));
  }

  @Test
  void endpointsWithoutAnyAnnotationTakeTheDefault() {
    given.put("weir.default.limit", "7");
    given.put("weir.default.window", "1m");
    given.put("weir.default.by", "user");
    given.put("weir.policy.default.Shop.plain-b7a9a58c.limit", "8");
    PolicyCatalog catalog = catalog();
    LivePolicy plain = of(catalog, "plain").get(0);
    assertEquals("default.Shop.plain-b7a9a58c", plain.name());
    assertEquals(8, plain.current().limit());
    assertEquals(List.of(By.USER), plain.by());
    assertEquals(List.of(), of(catalog, "exempt"));
    assertEquals("Shop.sell", of(catalog, "sell").get(0).name());
    assertEquals(List.of(), Catalogs.of(catalog, Shop.class, "plain", EndpointType.METHOD));
    given.remove("weir.policy.default.Shop.plain-b7a9a58c.limit");
    live.refresh();
    assertEquals(7, plain.current().limit());
  }

  @Test
  void theDefaultKeepsWhomItCountsAndThatItIs() {
    given.put("weir.default.limit", "7");
    given.put("weir.default.window", "1m");
    LivePolicy plain = of(catalog(), "plain").get(0);
    given.put("weir.default.by", "user");
    live.refresh();
    assertEquals(1, refusals.containing("the key of a policy can't change").size());
    given.clear();
    live.refresh();
    assertEquals(1, refusals.containing("can't be added or removed").size());
    assertEquals(List.of(By.IP), plain.current().by());
  }

  @Test
  void costsAndConditionsComeFromSettingsAndStayWhileTheApplicationRuns() {
    given.put("weir.default.limit", "7");
    given.put("weir.default.window", "1m");
    given.put("weir.default.cost-from", "query:amount");
    given.put("weir.policy.Shop.sell.cost-from", "spend");
    given.put("weir.policy.Shop.sell.when", "risky");
    live.refresh();
    PolicyCatalog catalog = Catalogs.over(live);
    assertEquals("query:amount", of(catalog, "plain").get(0).current().costFrom());
    Policy sell = of(catalog, "sell").get(0).current();
    assertEquals("spend", sell.costFrom());
    assertEquals("risky", sell.when());
    given.put("weir.default.cost-from", "query:price");
    given.remove("weir.policy.Shop.sell.when");
    given.put("weir.policy.Shop.sell.limit", "9");
    live.refresh();
    assertEquals(1, refusals.containing("the source of costs can't change").size());
    assertEquals(1, refusals.containing("the condition of a policy can't change").size());
    assertEquals(sell, of(catalog, "sell").get(0).current());
  }

  @Test
  void anIncompleteDefaultIsAMistake() {
    given.put("weir.default.by", "ip");
    live.refresh();
    String message =
        assertThrows(InvalidPolicyException.class, () -> new PolicyCatalog(live, Set.of()))
            .getMessage();
    assertTrue(message.contains("weir.default.limit = (not set): must be set"), message);
    assertTrue(message.contains("weir.default.window = (not set): must be set"), message);
  }

  @Test
  void warnsOnceOfSettingsForAPolicyThatNobodyHas() {
    given.put("weir.policy.Shop.bye.limit", "5");
    PolicyCatalog catalog = catalog();
    of(catalog, "buy");
    assertTrue(warnings.lines().isEmpty());
    catalog.table();
    catalog.table();
    assertEquals(
        List.of(
            "WARNING weir.policy.Shop.bye: no endpoint read so far has a policy of this name; did"
                + " you mean Shop.buy?"),
        warnings.lines());
  }

  @Test
  void warnsOnceWhereACallerCanInventItsKey() {
    PolicyCatalog catalog = catalog();
    of(catalog, "bounded");
    assertTrue(warnings.lines().isEmpty());
    of(catalog, "invented");
    of(catalog, "invented");
    assertEquals(1, warnings.containing("Shop.invented.key-1m (").size());
    assertEquals(1, warnings.containing("Shop.invented.key-ip-1m (").size());
    assertEquals(1, warnings.containing("counts by a key that callers can invent").size());
    assertEquals(
        1,
        warnings
            .containing(
                "one address may try any number of keys, such as accounts; add a policy by IP alone")
            .size());
  }
}
