package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.Policy;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.internal.settings.ChangingSettings;
import io.weir.internal.settings.LiveSettings;
import io.weir.test.log.LogLines;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Endpoints that a request needs first, while settings that don't suit them are in force. */
class LateEndpointsTest {
  public static class Shop {
    @POST
    @RateLimit(limit = 10, window = 60)
    public void buy() {}

    @GET
    @RateLimit(limit = 10, window = 60, name = "shared")
    public void look() {}

    @POST
    @RateLimit(limit = 10, window = 60, name = "shared")
    public void ask() {}

    @POST
    public void plain() {}

    @RateLimit(limit = 0, window = 60)
    public void mistaken() {}

    @RateLimit(limit = 10, window = 60)
    public void send() {}
  }

  private static final Policy ANNOTATED = only(Catalogs.plain(), "buy").current();

  private final Map<String, String> given = new HashMap<>();
  private final LiveSettings live = ChangingSettings.over(given);
  private final PolicyCatalog catalog = Catalogs.over(live);
  private final LogLines refusals = new LogLines(LiveSettings.class);
  private final LogLines log = new LogLines("io.weir.internal.policy");

  @AfterEach
  void stop() {
    refusals.close();
    log.close();
  }

  private void set(String name, String value) {
    given.put(name, value);
    live.refresh();
  }

  private void remove(String name) {
    given.remove(name);
    live.refresh();
  }

  private static List<LivePolicy> late(PolicyCatalog catalog, String method, EndpointType site) {
    return late(catalog, method, site, policy -> List.of());
  }

  private static List<LivePolicy> late(
      PolicyCatalog catalog,
      String method,
      EndpointType site,
      Function<Policy, List<String>> misfits) {
    return catalog.atRequest(
        Shop.class, Optional.of(Catalogs.method(Shop.class, method)), site, misfits);
  }

  private static LivePolicy only(PolicyCatalog catalog, String method) {
    return late(catalog, method, EndpointType.JAXRS).get(0);
  }

  @ParameterizedTest
  @CsvSource({"by, user", "burst, 5", "cost, 11", "cost-from, nobody", "when, nobody"})
  void aPolicyHoldsAsAnnotatedUntilItsSettingIsMended(String member, String value) {
    set("weir.policy.Shop.buy." + member, value);
    set("weir.policy.Shop.buy.shadow", "true");
    assertEquals(List.of(), refusals.containing("refused"), "the endpoint was unknown");
    LivePolicy buy = only(catalog, "buy");
    assertEquals(ANNOTATED, buy.current());
    assertEquals(buy, only(catalog, "buy"));
    assertEquals(1, log.containing("Shop#buy: ").size(), log.lines()::toString);
    assertTrue(log.lines().get(0).startsWith("SEVERE "), log.lines()::toString);

    set("weir.policy.other.limit", "7");
    assertEquals(ANNOTATED, buy.current(), "what is in force already refuses no change");
    remove("weir.policy.Shop.buy." + member);
    assertEquals(List.of(true, 10L), List.of(buy.current().shadow(), buy.current().limit()));
    set("weir.policy.Shop.buy.limit", "0");
    set("weir.policy.Shop.buy.limit", "20");
    assertEquals(20, buy.current().limit(), "it follows the settings again");
    assertEquals(1, log.containing("Shop#buy: ").size(), log.lines()::toString);
  }

  @Test
  void aMendedPolicyRefusesMistakesAsBefore() {
    set("weir.policy.Shop.buy.burst", "5");
    LivePolicy buy = only(catalog, "buy");
    remove("weir.policy.Shop.buy.burst");
    set("weir.policy.Shop.buy.burst", "5");
    assertEquals(1, refusals.containing("Shop#buy: weir.policy.Shop.buy.burst = 5").size());
    assertEquals(ANNOTATED, buy.current());
  }

  @Test
  void whatItReadsFromRequestsStaysAsItWasBound() {
    set("weir.policy.Shop.buy.burst", "5");
    set("weir.policy.Shop.buy.cost-from", "query:amount");
    LivePolicy buy = only(catalog, "buy");
    remove("weir.policy.Shop.buy.burst");
    assertEquals(ANNOTATED, buy.current());
    assertEquals(1, log.containing("costs can't change while the application runs").size());
    remove("weir.policy.Shop.buy.cost-from");
    set("weir.policy.Shop.buy.limit", "20");
    assertEquals(20, buy.current().limit());
  }

  @Test
  void aCostThatIsTooHighIsIgnoredWhereItIs() {
    set("weir.cost.POST", "50");
    set("weir.cost.GET", "2");
    LivePolicy shared = only(catalog, "look");
    only(catalog, "ask");
    assertEquals(List.of(2L, 1L), List.of(shared.now().cost("GET"), shared.now().cost("POST")));
    assertEquals(1, only(catalog, "buy").now().cost("POST"));
    assertEquals(2, log.containing(": weir.cost.POST = 50: must be 1 to 10").size());
    set("weir.cost.GET", "3");
    assertEquals(List.of(3L, 1L), List.of(shared.now().cost("GET"), shared.now().cost("POST")));
    set("weir.cost.POST", "5");
    assertEquals(5, shared.now().cost("POST"));
    set("weir.cost.POST", "50");
    assertEquals(5, shared.now().cost("POST"));
    assertEquals(1, refusals.containing("Shop#ask: weir.cost.POST = 50").size());
  }

  @Test
  void aPolicyIsMendedThoughACostIsStillTooHigh() {
    set("weir.cost.POST", "50");
    set("weir.policy.Shop.buy.burst", "5");
    LivePolicy buy = only(catalog, "buy");
    remove("weir.policy.Shop.buy.burst");
    set("weir.policy.Shop.buy.limit", "20");
    assertEquals(List.of(20L, 1L), List.of(buy.current().limit(), buy.now().cost("POST")));
    set("weir.policy.Shop.buy.limit", "60");
    assertEquals(50, buy.now().cost("POST"));
  }

  @Test
  void theDefaultHoldsWithoutWhatDoesNotSuitTheEndpoint() {
    set("weir.default.limit", "7");
    set("weir.default.window", "1m");
    set("weir.cost.POST", "50");
    LivePolicy plain = only(catalog, "plain");
    assertEquals(List.of(7L, 1L), List.of(plain.current().limit(), plain.now().cost("POST")));
  }

  @Test
  void aDefaultThatCannotHoldAtAnEndpointLimitsNothingThere() {
    set("weir.default.limit", "7");
    set("weir.default.window", "1m");
    set("weir.default.by", "key");
    set("weir.default.key", "path:id");
    assertEquals(List.of(), late(catalog, "plain", EndpointType.SERVLET));
    assertEquals(1, log.containing("weir.default.key = 'path:id'").size(), log.lines()::toString);
  }

  @Test
  void theNameOfAUrlsPolicyStaysWithTheUrl() {
    given.put("weir.policy.Shop.buy.limit", "3");
    given.put("weir.policy.Shop.buy.window", "1m");
    set("weir.policy.Shop.buy.url", "/buy");
    assertEquals(ANNOTATED, only(catalog, "buy").current());
    set("weir.policy.other.limit", "7");
    assertEquals(3, catalog.byPath("/buy").get(0).current().limit());
    assertEquals(1, log.containing("weir.policy.Shop.buy.url = /buy").size());
  }

  @Test
  void aParameterThatTheMethodLacksIsASettingThatDoesNotSuitIt() {
    set("weir.policy.Shop.send.cost-from", "param:amount");
    Function<Policy, List<String>> misfits =
        policy -> policy.costFrom().isEmpty() ? List.of() : List.of("Shop#send: no such parameter");
    LivePolicy send = late(catalog, "send", EndpointType.METHOD, misfits).get(0);
    assertEquals("", send.current().costFrom());
    assertEquals(1, log.containing("Shop#send: no such parameter").size());
    remove("weir.policy.Shop.send.cost-from");
    set("weir.policy.Shop.send.limit", "20");
    assertEquals(20, send.current().limit());
  }

  @Test
  void aMistakeInAnAnnotationStillThrows() {
    set("weir.policy.Shop.mistaken.limit", "5");
    assertThrows(InvalidPolicyException.class, () -> only(catalog, "mistaken"));
    assertThrows(InvalidPolicyException.class, () -> only(catalog, "mistaken"));
  }

  @Test
  void atTheStartMistakesOfSettingsStopTheApplication() {
    set("weir.policy.Shop.buy.burst", "5");
    for (int i = 0; i < 2; i++) {
      assertThrows(
          InvalidPolicyException.class,
          () -> Catalogs.of(catalog, Shop.class, "buy", EndpointType.JAXRS));
    }
  }
}
