package io.weir.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unit;
import java.util.List;
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
}
