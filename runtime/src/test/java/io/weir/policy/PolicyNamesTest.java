package io.weir.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unit;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyNamesTest {
  public static class Search {
    @RateLimit(limit = 10, window = 1)
    public void search() {}

    @RateLimit(limit = 10, window = 60)
    @RateLimit(limit = 100, window = 60, unit = Unit.MINUTES)
    @RateLimit(
        limit = 7,
        window = 90,
        by = {By.USER, By.IP})
    public void repeated() {}

    @RateLimit(limit = 10, window = 1, name = "mine")
    public void named() {}

    @RateLimit(limit = 10, window = 1, name = "mine")
    @RateLimit(limit = 10, window = 48, unit = Unit.HOURS)
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
                  InvalidPolicyException.class, () -> Catalogs.plain().check(types, Site.JAXRS))
              .getMessage();
      assertTrue(message.contains("has it too; give one of them a name of its own"), message);
    }
  }

  @Test
  void equalPoliciesOfOneWrittenNameAreOne() {
    PolicyCatalog catalog = Catalogs.plain();
    assertSame(
        Catalogs.of(catalog, Sharing.class, "one", Site.JAXRS).get(0),
        Catalogs.of(catalog, Sharing.class, "other", Site.SERVLET).get(0));
    assertEquals(
        "Sharing#one, Sharing#other",
        Catalogs.of(catalog, Sharing.class, "one", Site.JAXRS).get(0).describe());
  }

  @Test
  void unequalPoliciesOfOneWrittenNameAreAMistake() {
    String message =
        assertThrows(
                InvalidPolicyException.class,
                () ->
                    Catalogs.plain()
                        .check(List.of(Sharing.class, SharingElsewhere.class), Site.JAXRS))
            .getMessage();
    assertTrue(message.contains("SharingElsewhere#third: name = shared: "), message);
    assertTrue(message.contains("policies of one name must be equal"), message);
  }

  public static class Plain {
    public void get() {}

    public void get(String what) {}

    public void get(String what, int often) {}
  }

  public static class Named {
    @RateLimit(limit = 3, window = 1, name = "default.Plain.get")
    public void any() {}
  }

  private static PolicyCatalog withDefault() {
    return Catalogs.with(Map.of("weir.default.limit", "7", "weir.default.window", "1m"));
  }

  @Test
  void eachEndpointWithoutAnyHasADefaultOfItsOwn() throws Exception {
    PolicyCatalog catalog = withDefault();
    Map<Method, String> names = new HashMap<>();
    for (Method method :
        List.of(
            Plain.class.getMethod("get"),
            Plain.class.getMethod("get", String.class),
            Plain.class.getMethod("get", String.class, int.class),
            Other.Plain.class.getMethod("get"))) {
      names.put(method, catalog.of(method.getDeclaringClass(), method, Site.JAXRS).get(0).name());
      assertEquals(
          names.get(method),
          catalog.of(method.getDeclaringClass(), method, Site.JAXRS).get(0).name());
    }
    assertEquals("default.Plain.get", names.get(Plain.class.getMethod("get")));
    assertEquals(4, new HashSet<>(names.values()).size(), names::toString);
    assertTrue(
        names.values().stream()
            .allMatch(each -> each.matches("default\\.Plain\\.get(-[0-9a-f]{8})?")),
        names::toString);
    String whole = catalog.of(Plain.class, Site.SERVLET).get(0).name();
    assertEquals("default.Plain", whole);
    assertTrue(catalog.of(Other.Plain.class, Site.SERVLET).get(0).name().startsWith(whole + "-"));
  }

  @Test
  void aDefaultIsNeverAPolicyThatSomebodyNamedSo() {
    PolicyCatalog catalog = withDefault();
    BoundPolicy named = Catalogs.of(catalog, Named.class, "any", Site.JAXRS).get(0);
    BoundPolicy plain = Catalogs.of(catalog, Other.Plain.class, "get", Site.JAXRS).get(0);
    assertEquals(List.of(3L, 7L), List.of(named.current().limit(), plain.current().limit()));
    assertTrue(plain.name().startsWith("default.Plain.get-"), plain.name());
  }
}
