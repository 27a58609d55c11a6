package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.settings.ChangingSettings;
import io.weir.internal.settings.LiveSettings;
import io.weir.test.log.LogLines;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MethodCostsTest {
  public interface Api {
    @POST
    void inherited();
  }

  public static class Shop implements Api {
    @GET
    @RateLimit(limit = 3, window = 60)
    public void look() {}

    @POST
    @RateLimit(limit = 3, window = 60)
    public void buy() {}

    @POST
    @RateLimit(limit = 10, window = 60, cost = 2)
    public void priced() {}

    @PUT
    @RateLimit(limit = 10, window = 60, tiers = @Tier(name = "low", limit = 2))
    public void change() {}

    @Override
    @RateLimit(limit = 3, window = 60)
    public void inherited() {}

    @RateLimit(limit = 3, window = 60)
    public void anyMethod() {}
  }

  @RateLimit(limit = 3, window = 60)
  public static class Whole {
    @POST
    public void post() {}

    public void doPost() {}
  }

  public static class Servlet {
    @RateLimit(limit = 3, window = 60)
    protected void doPost() {}

    @RateLimit(limit = 3, window = 60)
    protected void service() {}
  }

  private final Map<String, String> given = new HashMap<>();
  private final LiveSettings live = ChangingSettings.over(given);

  private PolicyCatalog catalog() {
    live.refresh();
    return new PolicyCatalog(live, Set.of());
  }

  private String mistakes(Class<?> type, EndpointType site) {
    PolicyCatalog catalog = catalog();
    return assertThrows(InvalidPolicyException.class, () -> catalog.check(List.of(type), site))
        .getMessage();
  }

  @Test
  void aCostAboveTheCapacityIsAMistakeWhereItsMethodLeads() {
    given.put("weir.cost.POST", "4");
    String message = mistakes(Shop.class, EndpointType.JAXRS);
    String rule = ": weir.cost.POST = 4: must be 1 to 3, the permits at once of policy Shop.";
    assertTrue(message.startsWith("2 mistakes"), message);
    assertTrue(message.contains(Shop.class.getName() + "#buy" + rule + "buy"), message);
    assertTrue(message.contains(Shop.class.getName() + "#inherited" + rule), message);
  }

  @Test
  void theSmallestTierMustBeAbleToPayToo() {
    given.put("weir.cost.PUT", "3");
    String message = mistakes(Shop.class, EndpointType.JAXRS);
    assertTrue(
        message.contains("must be 1 to 2, the permits at once of policy Shop.change (its smallest"),
        message);
  }

  @Test
  void aCostUpToTheCapacityIsNone() {
    given.put("weir.cost.POST", "3");
    given.put("weir.cost.PUT", "2");
    catalog().check(List.of(Shop.class), EndpointType.JAXRS);
  }

  @Test
  void aServletsMethodIsKnownByItsName() {
    given.put("weir.cost.POST", "4");
    String message = mistakes(Servlet.class, EndpointType.SERVLET);
    assertTrue(message.startsWith("1 mistake"), message);
    assertTrue(message.contains("#doPost: weir.cost.POST = 4"), message);
  }

  @Test
  void aClassesPolicyIsReachedByItsMethods() {
    given.put("weir.cost.POST", "4");
    PolicyCatalog catalog = catalog();
    catalog.check(List.of(Whole.class), EndpointType.JAXRS);
    String message =
        assertThrows(
                InvalidPolicyException.class,
                () -> Catalogs.of(catalog, Whole.class, "post", EndpointType.JAXRS))
            .getMessage();
    assertTrue(message.contains("Whole#post: weir.cost.POST = 4"), message);
  }

  @Test
  void whereTheMethodIsKnownOnlyFromTheRequestItCostsTheCapacity() {
    given.put("weir.cost.POST", "4");
    PolicyCatalog catalog = catalog();
    for (LivePolicy policy :
        List.of(
            Catalogs.of(catalog, Shop.class, "anyMethod", EndpointType.JAXRS).get(0),
            Catalogs.of(catalog, Whole.class, "doPost", EndpointType.SERVLET).get(0),
            Catalogs.of(catalog, Shop.class, "look", EndpointType.METHOD).get(0))) {
      assertEquals(3, policy.now().cost("POST"), policy.name());
    }
  }

  @Test
  void aChangeIsRefusedAsAWhole() {
    PolicyCatalog catalog = catalog();
    LivePolicy buy = Catalogs.of(catalog, Shop.class, "buy", EndpointType.JAXRS).get(0);
    try (LogLines refusals = new LogLines(LiveSettings.class)) {
      given.put("weir.cost.POST", "4");
      live.refresh();
      assertEquals(1, refusals.containing("#buy: weir.cost.POST = 4").size());
      assertEquals(1, buy.now().cost("POST"));
      given.put("weir.policy.Shop.buy.limit", "4");
      live.refresh();
      assertEquals(4, buy.now().cost("POST"));
      given.put("weir.policy.Shop.buy.limit", "2");
      live.refresh();
      assertEquals(4, buy.current().limit());
    }
  }

  @Test
  void policyAndCostsAreOfTheSameSettings() {
    PolicyCatalog catalog = catalog();
    LivePolicy buy = Catalogs.of(catalog, Shop.class, "buy", EndpointType.JAXRS).get(0);
    LivePolicy.State before = buy.now();
    given.put("weir.cost.POST", "9");
    given.put("weir.policy.Shop.buy.limit", "9");
    live.refresh();
    assertEquals(List.of(3L, 1L), List.of(before.policy().limit(), before.cost("POST")));
    assertEquals(List.of(9L, 9L), List.of(buy.now().policy().limit(), buy.now().cost("POST")));
  }
}
