package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.internal.settings.ChangingSettings;
import io.weir.internal.settings.LiveSettings;
import io.weir.test.log.LogLines;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one policy that {@code weir.application.*} makes, and the endpoints that it applies to. */
class ApplicationPolicyTest {
  public static class Shop {
    @RateLimit(limit = 10, window = 60)
    public void buy() {}

    @RateLimit(limit = 10, window = 60, by = By.KEY, key = "header:X-Api-Key")
    public void keyed() {}

    public void plain() {}

    @Unlimited
    public void exempt() {}
  }

  public static class Taken {
    @RateLimit(limit = 10, window = 60, name = "application")
    public void mine() {}
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

  private PolicyCatalog limited() {
    given.put("weir.application.limit", "100");
    given.put("weir.application.window", "1m");
    return catalog();
  }

  private static List<String> names(PolicyCatalog catalog, String method, EndpointType site) {
    return Catalogs.of(catalog, Shop.class, method, site).stream().map(LivePolicy::name).toList();
  }

  @ParameterizedTest
  @MethodSource("io.weir.internal.policy.Catalogs#types")
  void holdsAtEveryEndpointThatIsNotExempt(EndpointType site) {
    PolicyCatalog catalog = limited();
    assertEquals(List.of("Shop.buy", "application"), names(catalog, "buy", site));
    assertEquals(List.of(), names(catalog, "exempt", site));
    boolean woven = site.equals(EndpointType.METHOD);
    assertEquals(woven ? List.of() : List.of("application"), names(catalog, "plain", site));
  }

  @Test
  void isOneAndTheSameEverywhereAndInForceByItself() {
    PolicyCatalog catalog = limited();
    LivePolicy only = catalog.ofApplication().get(0);
    assertSame(only, Catalogs.of(catalog, Shop.class, "buy", EndpointType.JAXRS).get(1));
    assertSame(only, Catalogs.of(catalog, Shop.class, "plain", EndpointType.SERVLET).get(0));
    assertEquals("all endpoints", only.describe());
    catalog.forget(Shop.class.getClassLoader());
    assertSame(only, Catalogs.of(catalog, Shop.class, "plain", EndpointType.SERVLET).get(0));
    assertTrue(catalog().table().contains("endpoint"), "and one without it has none");
  }

  @Test
  void standsBesideTheDefaultOne() {
    given.put("weir.default.limit", "7");
    given.put("weir.default.window", "1m");
    List<String> names = names(limited(), "plain", EndpointType.JAXRS);
    assertEquals(2, names.size());
    assertTrue(names.get(0).startsWith("default.Shop.plain-"), names.get(0));
    assertEquals("application", names.get(1));
  }

  @Test
  void hasAllMembersOfAPolicyAndFollowsTheSettings() {
    given.put("weir.application.by", "user,key");
    given.put("weir.application.key", "header:X-Tenant");
    given.put("weir.application.tier.gold", "500");
    given.put("weir.application.priority", "low");
    LivePolicy policy = limited().ofApplication().get(0);
    assertEquals(List.of(By.USER, By.KEY), policy.by());
    assertEquals(Map.of("gold", 500L), policy.current().tiers());
    given.put("weir.application.limit", "70");
    live.refresh();
    assertEquals(70, policy.current().limit());
    given.put("weir.policy.application.limit", "50");
    given.put("weir.policy.application.shadow", "true");
    live.refresh();
    assertEquals(50, policy.current().limit());
    assertTrue(policy.current().shadow());
  }

  @Test
  void keepsWhomItCountsAndThatItIs() {
    LivePolicy policy = limited().ofApplication().get(0);
    given.put("weir.application.by", "user");
    live.refresh();
    assertEquals(1, refusals.containing("weir.application.by = [USER]").size());
    assertEquals(1, refusals.containing("the key of a policy can't change").size());
    given.clear();
    live.refresh();
    assertEquals(1, refusals.containing("weir.application.*: can't be added or removed").size());
    assertEquals(100, policy.current().limit());
  }

  @Test
  void cantAppearOnARunningApplication() {
    PolicyCatalog catalog = catalog();
    given.put("weir.application.limit", "100");
    given.put("weir.application.window", "1m");
    live.refresh();
    assertEquals(1, refusals.containing("weir.application.*: can't be added or removed").size());
    assertEquals(List.of(), catalog.ofApplication());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "by      | ip      | weir.application: weir.application.limit = (not set): must be set,"
            + " since a policy needs limit and window",
        "tier.a  | 5       | weir.application: weir.application.limit = (not set): must be set,"
            + " since a policy needs limit and window",
        "cost    | 101     | weir.application: weir.application.cost = 101: must be 1 to 100, the"
            + " permits at once",
        "burst   | 5       | weir.application: weir.application.burst = 5: is for TOKEN_BUCKET",
        "by      | key     | weir.application: key = []: must be set with by = KEY, to"
            + " header:X-Api-Key for example",
        "by      | endpoint,ip | weir.application: weir.application.by = [ENDPOINT, IP]: ENDPOINT"
            + " counts all callers"
      })
  void aMistakeIsNamed(String member, String value, String line) {
    given.put("weir.application." + member, value);
    String message =
        assertThrows(
                RuntimeException.class, line.contains("not set") ? this::catalog : this::limited)
            .getMessage();
    assertTrue(message.contains(line), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"weir.application", "weir.default"})
  void exceptionsOfAPolicyThatIsNotThereAreWarnedOf(String prefix) {
    given.put(prefix + ".except", "/healthz");
    PolicyCatalog catalog = catalog();
    catalog.warnOfUnknownPolicies();
    String line =
        prefix + ".except = /healthz: has no effect, since " + prefix + ".limit isn't set";
    assertEquals(1, warnings.containing(line).size());
    assertEquals(List.of(), catalog.ofApplication());
  }

  @Test
  void leavesOutWhatItsOwnNameSays() {
    given.put("weir.application.except", "/healthz");
    PolicyCatalog catalog = limited();
    assertTrue(catalog.limitsPaths());
    LivePolicy policy = catalog.ofApplication().get(0);
    assertEquals(List.of("/healthz"), policy.now().except().patterns());
    given.put("weir.policy.application.except", "/livez, /readyz/*");
    live.refresh();
    assertEquals(List.of("/livez", "/readyz/*"), policy.now().except().patterns());
    given.put("weir.policy.application.except", "");
    live.refresh();
    assertEquals(List.of(), policy.now().except().patterns());
    assertFalse(catalog.limitsPaths());
  }

  @Test
  void aPolicyOfAnEndpointCanLeaveOutPathsToo() {
    PolicyCatalog catalog = catalog();
    LivePolicy buy = Catalogs.of(catalog, Shop.class, "buy", EndpointType.SERVLET).get(0);
    assertFalse(catalog.limitsPaths());
    given.put("weir.policy.Shop.buy.except", "/buy/again");
    live.refresh();
    assertEquals(List.of("/buy/again"), buy.now().except().patterns());
    assertTrue(catalog.limitsPaths());
    assertTrue(catalog.table().contains("except /buy/again"), catalog.table());
  }

  @ParameterizedTest
  @CsvSource({"path:tenant", "param:phone"})
  void readsOnlyWhatEveryEndpointHas(String key) {
    given.put("weir.application.by", "key");
    given.put("weir.application.key", key);
    String message = assertThrows(InvalidPolicyException.class, this::limited).getMessage();
    assertTrue(message.contains("weir.application.key = '" + key + "'"), message);
  }

  @Test
  void nobodyElseCanHaveItsName() {
    String taken = "is the name of the policy that weir.application.* defines; choose another name";
    String annotated =
        assertThrows(
                InvalidPolicyException.class,
                () -> catalog().check(List.of(Taken.class), EndpointType.JAXRS))
            .getMessage();
    assertTrue(annotated.contains("Taken#mine: name = application: " + taken), annotated);
    given.put("weir.policy.application.url", "/x");
    live.refresh();
    assertEquals(1, refusals.containing("weir.policy.application.url = /x: " + taken).size());
  }

  @Test
  void aKeyThatCallersInventHasACompanion() {
    Catalogs.of(limited(), Shop.class, "keyed", EndpointType.JAXRS);
    assertEquals(List.of(), warnings.containing("callers can invent"));
  }
}
