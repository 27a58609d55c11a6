package io.weir.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

class ResourceMethodsTest {
  @Retention(RetentionPolicy.RUNTIME)
  @RateLimit(limit = 1, window = 1)
  @interface Expensive {}

  interface Contract {
    @GET
    String inherited();
  }

  @Path("shop")
  public static class Shop implements Contract {
    @GET
    @RateLimit(limit = 1, window = 1)
    public String own() {
      return "";
    }

    @Override
    @RateLimit(limit = 1, window = 1)
    public String inherited() {
      return "";
    }

    @Path("sub")
    @RateLimit(limit = 1, window = 1)
    public Object locator() {
      return this;
    }

    @Expensive
    public void composed() {}

    @RateLimit(limit = 1, window = 1)
    @RateLimit(limit = 9, window = 9, name = "more")
    public void repeated() {}

    @RateLimit(limit = 1, window = 1)
    public void woven() {}

    @SuppressWarnings("unused") // as AspectJ leaves a woven class
    private static void woven_aroundBody0(Shop self) {}

    public void helper() {}
  }

  public static class Heir extends Shop {}

  public static class Stranger {}

  @Expensive
  public static class LimitedStranger {}

  public static class StrangerWithLimit {
    @GET
    @RateLimit(limit = 1, window = 1)
    public String call() {
      return "";
    }
  }

  public static class WovenStranger {
    @RateLimit(limit = 1, window = 1)
    public void call() {}

    @SuppressWarnings("unused") // as AspectJ leaves a woven class
    private static void call_aroundBody0(WovenStranger self) {}
  }

  @Test
  void findsRootResourcesAmongClassesAndInstances() {
    ResourceConfig application =
        new ResourceConfig(Shop.class, Stranger.class)
            .register(new Heir())
            .register(new Stranger());
    assertEquals(List.of(Shop.class, Heir.class), ResourceMethods.registered(application));
  }

  @Test
  void findsRegisteredClassesWithLimitsThatAreNoResources() {
    ResourceConfig application =
        new ResourceConfig(Shop.class, Heir.class, Stranger.class, StrangerWithLimit.class)
            .register(new LimitedStranger())
            .register(new WovenStranger());
    assertEquals(
        List.of(StrangerWithLimit.class, LimitedStranger.class),
        ResourceMethods.limitedNonResources(application));
  }

  @Test
  void findsLimitsThatAreThoseOfNoEndpoint() {
    assertEquals(
        List.of("composed", "locator", "repeated"),
        ResourceMethods.limitedNonEndpoints(Shop.class).stream()
            .map(Method::getName)
            .sorted()
            .collect(Collectors.toList()));
  }
}
