package io.weir.compat.servlet;

import static io.weir.compat.servlet.ServletAppBuilder.filter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.Weir;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.servlet.RateLimitFilter;
import jakarta.annotation.Priority;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.OPTIONS;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that policies by URL pattern charge no CORS preflight that only a filter of JAX-RS or an
 * implementation of JAX-RS answers, and each that may reach a resource.
 */
public interface JaxrsPreflightContract extends ServletServer {
  /**
   * Makes the servlet that runs JAX-RS on all paths, of a class of the implementation.
   *
   * @param context the application that it will be registered in
   * @param instances resources, filters and features
   * @return a servlet that isn't started yet
   */
  Servlet jaxrs(ServletContext context, Set<Object> instances);

  /**
   * Returns whether that servlet is a filter too, and answers as one.
   *
   * @return by default false
   */
  default boolean isAlsoFilter() {
    return false;
  }

  /** Counts what its methods are called for. */
  @Path("/")
  final class Shop {
    private final AtomicInteger reached = new AtomicInteger();

    Shop() {}

    /**
     * Answers.
     *
     * @return a text
     */
    @GET
    @Path("open")
    public String open() {
      return "not limited";
    }

    /**
     * Answers.
     *
     * @return a text
     */
    @GET
    @Path("plain")
    public String plain() {
      reached.incrementAndGet();
      return "has no method for OPTIONS";
    }

    /**
     * Answers.
     *
     * @return a text
     */
    @OPTIONS
    @Path("own")
    public String own() {
      reached.incrementAndGet();
      return "has one";
    }

    /**
     * Finds a sub-resource.
     *
     * @param token a secret
     * @return one without a method for OPTIONS
     */
    @Path("rooms/{token}")
    public Room room(@PathParam("token") String token) {
      reached.incrementAndGet();
      return new Room(token);
    }
  }

  /**
   * A sub-resource.
   *
   * @param token its name
   */
  record Room(String token) {
    /**
     * Answers.
     *
     * @return a text
     */
    @GET
    @Path("door")
    public String enter() {
      return token;
    }
  }

  /** Answers requests before matching, or changes them, as a field says; else it is a new path. */
  @PreMatching
  final class Cors implements ContainerRequestFilter {
    Cors() {}

    @Override
    public void filter(ContainerRequestContext request) {
      change(request, request.getHeaderString("X-How"));
    }

    static void change(ContainerRequestContext request, @Nullable String how) {
      if ("answer".equals(how)) {
        request.abortWith(Response.noContent().build());
      } else if ("override".equals(how)) {
        request.setMethod("GET");
      } else if (how != null) {
        request.setRequestUri(request.getUriInfo().getBaseUriBuilder().path(how).build());
      }
    }
  }

  /** Changes requests as another field says, after all filters that have an earlier place. */
  @PreMatching
  @Priority(Integer.MAX_VALUE)
  final class Last implements ContainerRequestFilter {
    Last() {}

    @Override
    public void filter(ContainerRequestContext request) {
      Cors.change(request, request.getHeaderString("X-Last"));
    }
  }

  private ServletAppBuilder limited(Shop shop, boolean withFeature) {
    return limited(
        (context, weir) -> {
          Set<Object> instances = new HashSet<>(Set.of(shop, new Cors(), new Last()));
          if (withFeature) {
            instances.add(new RateLimitFeature(weir));
          }
          filter(context, "weir", new RateLimitFilter(weir), "/*");
          ServletRegistration.Dynamic jaxrs =
              context.addServlet("jaxrs", jaxrs(context, instances));
          jaxrs.addMapping("/*");
          jaxrs.setAsyncSupported(true);
        });
  }

  private ServletAppBuilder limited(BiConsumer<ServletContext, Weir> parts) {
    ServletAppBuilder builder = ServletApp.on(this).filters(parts);
    for (String path : List.of("plain", "own", "rooms")) {
      builder
          .setting("weir.policy." + path + ".url", "/" + path + "/*")
          .setting("weir.policy." + path + ".limit", "2")
          .setting("weir.policy." + path + ".window", "1m");
    }
    return builder;
  }

  private static List<Integer> preflights(
      int requests, ServletApp app, String path, String... how) {
    List<String> fields =
        new ArrayList<>(List.of(ServletPreflightContract.ORIGIN, ServletPreflightContract.WANTED));
    Stream.of(how).map(each -> each.contains(":") ? each : "X-How: " + each).forEach(fields::add);
    return app.statuses(requests, "OPTIONS", path, fields.toArray(String[]::new));
  }

  @Test
  default void preflightsThatReachNoResourceCostNothing() throws Exception {
    Shop shop = new Shop();
    try (ServletApp app = limited(shop, true).start()) {
      assertEquals(200, app.get("/open").status(), "a request that the feature sees");
      for (String path : List.of("/plain", "/own", "/rooms/x", "/none")) {
        assertEquals(Collections.nCopies(4, 204), preflights(4, app, path, "answer"), path);
      }
      assertEquals(Collections.nCopies(4, 200), preflights(4, app, "/plain"));
      assertEquals(Collections.nCopies(4, 404), preflights(4, app, "/plain/none"));
      assertEquals(0, shop.reached.get());
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/plain"));
      assertEquals(List.of(200), preflights(1, app, "/plain"));
      assertEquals(429, app.send("OPTIONS", "/plain", ServletPreflightContract.ORIGIN).status());
      assertEquals(List.of(429), preflights(1, app, "/plain", "Authorization: Basic Z3Vlc3M6MQ=="));
    }
  }

  @Test
  default void preflightsThatReachAResourceAreLimited() throws Exception {
    Shop shop = new Shop();
    try (ServletApp app = limited(shop, true).start()) {
      assertEquals(200, app.get("/open").status());
      for (String path : List.of("/own", "/rooms/x/door")) {
        assertEquals(List.of(200, 200, 429, 429), preflights(4, app, path), path);
        assertEquals(2, shop.reached.getAndSet(0), path);
      }
      assertEquals(List.of(429), preflights(1, app, "/own;a=b"));
      assertEquals(List.of(200, 200, 429, 429), preflights(4, app, "/plain", "override"));
      assertEquals(2, shop.reached.getAndSet(0));
      app.advance(Duration.ofMinutes(2));
      assertEquals(List.of(200, 200, 429, 429), preflights(4, app, "/plain", "own"));
      assertEquals(2, shop.reached.get());
    }
  }

  @Test
  default void requestsAreLimitedByThePathThatAFilterGivesThem() throws Exception {
    Shop shop = new Shop();
    try (ServletApp app = limited(shop, true).start()) {
      assertEquals(List.of(200, 200, 429, 429), app.statuses(4, "GET", "/open", "X-How: plain"));
      assertEquals(429, app.get("/plain").status());
      assertEquals(2, shop.reached.getAndSet(0));
      assertEquals(List.of(200, 200, 429, 429), preflights(4, app, "/open", "own"));
      assertEquals(List.of(429), preflights(1, app, "/own"));
      assertEquals(2, shop.reached.get());
    }
  }

  @Test
  default void noSpellingOfTheApplicationsPathLeadsPastTheLimitOfANewPath() throws Exception {
    Shop shop = new Shop();
    try (ServletApp app = limited(shop, true).start()) {
      for (String spelled : List.of("/%61pp", "/app;a=b", "//app", "/./app")) {
        for (int i = 0; i < 4; i++) {
          Answer unused = app.raw("127.0.0.1", "GET", spelled + "/open", "X-How: plain");
        }
      }
      assertTrue(shop.reached.get() <= 2, () -> shop.reached + " requests");
    }
  }

  @Test
  default void theLastFilterBeforeMatchingLeadsPastNoLimit() throws Exception {
    Shop shop = new Shop();
    try (ServletApp app = limited(shop, true).start()) {
      assertEquals(List.of(200, 200, 429, 429), app.statuses(4, "GET", "/open", "X-Last: plain"));
      assertEquals(2, shop.reached.getAndSet(0));
      assertEquals(List.of(200, 200, 429, 429), preflights(4, app, "/open", "X-Last: own"));
      assertEquals(2, shop.reached.getAndSet(0));
      app.advance(Duration.ofMinutes(2));
      assertEquals(List.of(200, 200, 429, 429), preflights(4, app, "/plain", "X-Last: override"));
      assertEquals(2, shop.reached.get());
    }
  }

  @Test
  default void preflightsThatJaxrsAnswersAsAFilterAreLimited() throws Exception {
    assumeTrue(isAlsoFilter());
    Shop shop = new Shop();
    ServletAppBuilder builder =
        limited(
            (context, weir) -> {
              filter(context, "weir", new RateLimitFilter(weir), "/*");
              Set<Object> instances = Set.of(shop, new RateLimitFeature(weir));
              filter(context, "jaxrs", (Filter) jaxrs(context, instances), "/*");
            });
    try (ServletApp app = builder.servlet("/own", new Servlets.Hello()).start()) {
      assertEquals(200, app.get("/open").status());
      assertEquals(List.of(200, 200, 429, 429), preflights(4, app, "/own"));
      assertEquals(2, shop.reached.get());
    }
  }

  @Test
  default void preflightsAreLimitedWhereNoFeatureIsSeen() throws Exception {
    try (ServletApp app = limited(new Shop(), true).start()) {
      assertEquals(
          List.of(204, 204, 429),
          preflights(3, app, "/plain", "answer"),
          "before the first request");
    }
    try (ServletApp app = limited(new Shop(), false).start()) {
      assertEquals(200, app.get("/open").status());
      assertEquals(List.of(204, 204, 429), preflights(3, app, "/plain", "answer"));
      assertEquals(List.of(200, 200, 429), preflights(3, app, "/own"));
    }
  }
}
