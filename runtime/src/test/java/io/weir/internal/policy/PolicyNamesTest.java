package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.lang.reflect.Method;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PolicyNamesTest {
  public static class Search {
    @RateLimit(limit = 10, window = 1)
    public void search() {}

    @RateLimit(limit = 10, window = 60)
    @RateLimit(limit = 100, window = 60, unit = ChronoUnit.MINUTES)
    @RateLimit(
        limit = 7,
        window = 90,
        by = {By.USER, By.IP})
    public void repeated() {}

    @RateLimit(limit = 10, window = 1, name = "mine")
    public void named() {}

    @RateLimit(limit = 10, window = 1, name = "mine")
    @RateLimit(limit = 10, window = 48, unit = ChronoUnit.HOURS)
    public void half() {}

    @RateLimit(limit = 10, window = 1)
    public void over$1() {}
  }

  @RateLimit(limit = 10, window = 1)
  public static class Whole {
    public void any() {}
  }

  @Test
  void aMethodsPolicyIsNamedForClassAndMethod() {
    assertEquals(List.of("Search.search"), Catalogs.names(Search.class, "search"));
  }

  @Test
  void repeatedOnesAppendWhomTheyCountAndTheWindowInItsLargestUnit() {
    assertEquals(
        List.of("Search.repeated.ip-1m", "Search.repeated.ip-1h", "Search.repeated.user-ip-90s"),
        Catalogs.names(Search.class, "repeated"));
    assertEquals(List.of("mine", "Search.half.ip-2d"), Catalogs.names(Search.class, "half"));
  }

  @Test
  void aClassesPolicyIsNamedForTheClass() {
    assertEquals(List.of("Whole"), Catalogs.names(Whole.class, "any"));
  }

  @Test
  void whatANameCantHaveBecomesAnUnderscore() {
    assertEquals(List.of("Search.over_1"), Catalogs.names(Search.class, "over$1"));
  }

  public static class Twice {
    @RateLimit(limit = 10, window = 1)
    public void get() {}

    @RateLimit(limit = 10, window = 1)
    public void get(String what) {}
  }

  public static class Sharing {
    @RateLimit(limit = 10, window = 1, name = "shared")
    public void one() {}

    @RateLimit(limit = 10, window = 1, name = "shared")
    public void other() {}
  }

  public static class SharingElsewhere {
    @RateLimit(limit = 11, window = 1, name = "shared")
    public void third() {}
  }

  /** The same short name as the one outside. */
  public static class Other {
    public static class Plain {
      public void get() {}
    }

    public static class Search {
      @RateLimit(limit = 10, window = 1)
      public void search() {}
    }
  }

  @Test
  void defaultNamesThatAreEqualAskForNames() {
    for (List<Class<?>> types :
        List.<List<Class<?>>>of(List.of(Twice.class), List.of(Search.class, Other.Search.class))) {
      String message =
          assertThrows(
                  InvalidPolicyException.class,
                  () -> Catalogs.plain().check(types, EndpointType.JAXRS))
              .getMessage();
      assertTrue(message.contains("has a policy of this name too; rename one of them"), message);
    }
  }

  @Test
  void equalPoliciesOfOneWrittenNameAreOne() {
    PolicyCatalog catalog = Catalogs.plain();
    assertSame(
        Catalogs.of(catalog, Sharing.class, "one", EndpointType.JAXRS).get(0),
        Catalogs.of(catalog, Sharing.class, "other", EndpointType.SERVLET).get(0));
    assertEquals(
        "Sharing#one, Sharing#other",
        Catalogs.of(catalog, Sharing.class, "one", EndpointType.JAXRS).get(0).describe());
  }

  @Test
  void unequalPoliciesOfOneWrittenNameAreAMistake() {
    String message =
        assertThrows(
                InvalidPolicyException.class,
                () ->
                    Catalogs.plain()
                        .check(List.of(Sharing.class, SharingElsewhere.class), EndpointType.JAXRS))
            .getMessage();
    assertTrue(message.contains("SharingElsewhere#third: name = shared: "), message);
    assertTrue(
        message.contains("has a policy of this name too; make both equal, or rename one of them"),
        message);
  }

  public static class Plain {
    public void get() {}

    public void get(String what) {}

    public void get(String what, int often) {}
  }

  public static class Named {
    @RateLimit(limit = 3, window = 1, name = "default.Plain.get-f26f92f8")
    public void any() {}
  }

  private static PolicyCatalog withDefault() {
    return Catalogs.with(Map.of("weir.default.limit", "7", "weir.default.window", "1m"));
  }

  private static final List<Class<?>> PLAIN =
      List.of(Plain.class, Other.Plain.class, Overloaded.class);

  /** The names that all methods of some classes, and the classes themselves, have by default. */
  private static Map<String, String> defaults(List<Class<?>> types, Comparator<String> order) {
    PolicyCatalog catalog = withDefault();
    Map<String, String> names = new HashMap<>();
    Map<String, Supplier<List<LivePolicy>>> endpoints = new TreeMap<>(order);
    for (Class<?> type : types) {
      endpoints.put(type.getName(), () -> catalog.of(type, EndpointType.SERVLET));
      for (Method method : type.getDeclaredMethods()) {
        endpoints.put(method.toString(), () -> catalog.of(type, method, EndpointType.JAXRS));
      }
    }
    endpoints.forEach((endpoint, bound) -> names.put(endpoint, bound.get().get(0).name()));
    return names;
  }

  @Test
  void eachEndpointWithoutAnyHasADefaultOfItsOwn() {
    Map<String, String> names = defaults(PLAIN, Comparator.naturalOrder());
    assertEquals(names.size(), new HashSet<>(names.values()).size(), names::toString);
    assertTrue(
        names.values().stream()
            .allMatch(each -> each.matches("default\\.(Plain|Overloaded)(\\.get)?-[0-9a-f]{8}")),
        names::toString);
  }

  /** Nodes read their endpoints in any order, some of them with the first request. */
  @Test
  void aDefaultHasTheSameNameInWhateverOrderEndpointsAreRead() {
    Map<String, String> names = defaults(PLAIN, Comparator.naturalOrder());
    assertEquals(names, defaults(PLAIN, Comparator.reverseOrder()));
    for (Class<?> alone : PLAIN) {
      assertEquals(
          Set.of(),
          minus(defaults(List.of(alone), Comparator.naturalOrder()), names),
          alone::getName);
    }
  }

  private static Set<String> minus(Map<String, String> some, Map<String, String> all) {
    Set<String> left = new HashSet<>(some.values());
    left.removeAll(all.values());
    return left;
  }

  /** A later build or another JDK continues the same counts. */
  @Test
  void aDefaultIsNamedForNothingButItsClassAndMethod() throws Exception {
    PolicyCatalog catalog = withDefault();
    Method get = Plain.class.getMethod("get", String.class);
    assertEquals(
        "default.Plain.get-e9a046ef",
        catalog.of(Plain.class, get, EndpointType.JAXRS).get(0).name());
  }

  public static class Overloaded {
    public void get(int what) {}

    public void get(long what) {}
  }

  /** A class as containers generate it to wrap another, under a name that differs each time. */
  @SuppressWarnings({"checkstyle:TypeName", "ClassNamedLikeTypeParameter"}) // names of theirs
  public static class Plain$$Proxy17 extends Plain {
    @Override
    public void get() {}
  }

  @Test
  void aClassThatAContainerMadeIsNamedForTheOneThatItWraps() throws Exception {
    PolicyCatalog catalog = withDefault();
    Method proxied = Plain$$Proxy17.class.getMethod("get");
    Method own = Plain.class.getMethod("get");
    assertSame(
        catalog.of(Plain.class, own, EndpointType.JAXRS).get(0),
        catalog.of(Plain$$Proxy17.class, proxied, EndpointType.JAXRS).get(0));
  }

  @Test
  void aNameThatADefaultHasIsAMistakeInWhateverOrderTheyAreRead() throws Exception {
    String name =
        withDefault()
            .of(Plain.class, Plain.class.getMethod("get"), EndpointType.JAXRS)
            .get(0)
            .name();
    assertEquals("default.Plain.get-f26f92f8", name);
    for (List<Class<?>> order :
        List.<List<Class<?>>>of(
            List.of(Named.class, Plain.class), List.of(Plain.class, Named.class))) {
      PolicyCatalog catalog = withDefault();
      String message =
          assertThrows(
                  InvalidPolicyException.class,
                  () -> {
                    for (Class<?> each : order) {
                      Method method = each.getMethod(each == Named.class ? "any" : "get");
                      catalog.of(each, method, EndpointType.JAXRS);
                    }
                  })
              .getMessage();
      assertTrue(message.contains("has a policy of this name too; rename one of them"), message);
    }
  }
}
