package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that dispatches don't bypass limits, and no policy charges a request twice. */
public interface ServletDispatchedLimitsContract extends ServletServer {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "forward",
        "wrapped",
        "nested",
        "itself",
        "named-forward",
        "include",
        "named-include",
        "twice",
        "async"
      })
  default void noDispatchLeadsPastTheTargetsLimit(String kind) throws Exception {
    Dispatching.Target target = new Dispatching.Target();
    try (ServletApp app = app(new Dispatching.Front(), target).start()) {
      Answer first = app.get("/front?" + kind);
      assertEquals(200, first.status());
      assertEquals(List.of("front", "target"), first.policies());
      assertEquals(1, first.remaining());
      int twice = kind.equals("twice") ? 2 : 1;
      assertEquals(200, app.get("/front?" + kind).status());
      List<Integer> rest = app.statuses(4, "GET", "/front?" + kind);
      assertEquals(List.of(429, 429, 429, 429), rest);
      assertEquals(2 * twice, target.reached());
      assertEquals(93, app.get("/front").remaining(), "the front has run each time");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"forward", "named-forward", "include", "named-include", "async", "nested"})
  default void noDispatchFromAnUnlimitedServletDoesEither(String kind) throws Exception {
    Dispatching.Target target = new Dispatching.Target();
    try (ServletApp app = app(new Dispatching.Open(), target).start()) {
      assertEquals(List.of(200, 200, 429, 429, 429, 429), app.statuses(6, "GET", "/front?" + kind));
      assertEquals(2, target.reached());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"forward", "named-forward", "include", "named-include", "async", "nested"})
  default void aPolicyForAllPathsRemovesNoOtherAndIsChargedOnce(String kind) throws Exception {
    Dispatching.Target target = new Dispatching.Target();
    ServletAppBuilder builder = app(new Dispatching.Open(), target);
    try (ServletApp app = forAllPaths(builder).start()) {
      Answer first = app.get("/front?" + kind);
      assertEquals(List.of("all", "target"), first.policies());
      assertEquals("target", first.closest());
      assertEquals(List.of(200, 429, 429), app.statuses(3, "GET", "/front?" + kind));
      assertEquals(2, target.reached());
      assertEquals(995, app.get("/front").remaining());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"forward", "named-forward", "include", "named-include", "async", "nested"})
  default void aFilterThatIsMappedForRequestsOnlySeesEachDispatchAllTheSame(String kind)
      throws Exception {
    Dispatching.Target target = new Dispatching.Target();
    ServletAppBuilder builder =
        app(new Dispatching.Open(), target)
            .filters(
                (context, weir) -> {
                  var filter = context.addFilter("weir", new RateLimitFilter(weir));
                  filter.addMappingForUrlPatterns(null, true, "/*");
                  filter.setAsyncSupported(true);
                });
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(200, 200, 429, 429), app.statuses(4, "GET", "/front?" + kind));
      assertEquals(2, target.reached());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"forward", "named-forward", "async"})
  default void theMethodThatADispatchReachesIsNotChargedAgainWhereItIsWoven(String kind)
      throws Exception {
    try (ServletApp app = app(new Dispatching.Front(), new Servlets.Woven()).start()) {
      assertEquals("true false", app.get("/front?" + kind).header("X-Charged").orElseThrow());
    }
  }

  @Test
  default void aRefusalTellsOfEveryPolicyThatDecided() throws Exception {
    try (ServletApp app = app(new Dispatching.Front(), new Dispatching.Target()).start()) {
      app.statuses(2, "GET", "/front?forward");
      Answer refusal = app.get("/front?forward");
      assertEquals(List.of("front", "target"), refusal.policies());
      assertEquals("target", refusal.closest());
      assertTrue(refusal.body().contains("\"violated-policies\":[\"target\"]"), refusal.body());
      assertTrue(refusal.header("Retry-After").isPresent());
    }
  }

  @Test
  default void anIncludeThatIsRefusedIsAnExceptionThatTheIncludingServletMayCatch()
      throws Exception {
    Dispatching.Target target = new Dispatching.Target();
    try (ServletApp app = app(new Dispatching.Front(), target).start()) {
      assertEquals(List.of(200, 200, 200), app.statuses(3, "GET", "/front?caught"));
      assertEquals("page instead of target", app.get("/front?caught").body());
      assertEquals(2, target.reached());
      assertEquals(95, app.get("/front").remaining(), "what went on stays charged");
    }
  }

  @Test
  default void anIncludeThatIsRefusedWhenTheResponseIsUnderWayIsLeftOut() throws Exception {
    Dispatching.Target target = new Dispatching.Target();
    try (ServletApp app = app(new Dispatching.Front(), target).start()) {
      assertEquals(List.of(200, 200, 200), app.statuses(3, "GET", "/front?late"));
      String body = app.get("/front?late").body();
      assertTrue(body.contains("page ") && body.contains(" end"), body);
      assertEquals(2, target.reached());
      assertEquals(95, app.get("/front").remaining());
    }
  }

  @Test
  default void aShadowedTargetRefusesNobodyAndIsDecidedOnce() throws Exception {
    Dispatching.Watched target = new Dispatching.Watched();
    try (ServletApp app = app(new Dispatching.Front(), target).start()) {
      for (int i = 0; i < 4; i++) {
        Answer answer = app.get("/front?twice");
        assertEquals(200, answer.status());
        assertEquals(List.of("front", "watched"), answer.policies());
        assertEquals("front", answer.closest());
      }
      assertEquals(8, target.reached());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"forward", "async", "include"})
  default void onlyWhatCountsInTheEndStaysCharged(String kind) throws Exception {
    try (ServletApp app = app(new Dispatching.Guessing(), new Dispatching.Winning()).start()) {
      assertEquals(List.of(404, 404, 429), app.statuses(3, "GET", "/front?failing"));
      assertEquals(List.of(200, 200), app.statuses(2, "GET", "/target"));
    }
    try (ServletApp app = app(new Dispatching.Guessing(), new Dispatching.Winning()).start()) {
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/front?" + kind));
      assertEquals(
          List.of(404, 429, 429),
          app.statuses(3, "GET", "/front?status=404"),
          "only the 429 was a failure");
    }
  }

  @Test
  default void twoFiltersMappedTwiceChargeOnce() throws Exception {
    ServletAppBuilder builder =
        app(new Dispatching.Front(), new Dispatching.Target())
            .filters(
                (context, weir) -> {
                  var one =
                      ServletAppBuilder.filter(context, "one", new RateLimitFilter(weir), "/*");
                  one.addMappingForUrlPatterns(null, true, "/front");
                  ServletAppBuilder.filter(context, "two", new RateLimitFilter(weir), "/*");
                });
    try (ServletApp app = builder.start()) {
      assertEquals(99, app.get("/front").remaining());
      assertEquals(1, app.get("/front?forward").remaining());
      assertEquals(97, app.get("/front").remaining());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"forward", "include"})
  default void whatAnErrorPageDispatchesToIsDecided(String kind) throws Exception {
    Dispatching.Target target = new Dispatching.Target();
    String page = "<error-page><location>/page?" + kind + "</location></error-page>";
    try (ServletApp app =
        app(new Servlets.Front(), target)
            .servlet("/page", new Dispatching.Open())
            .webXml(page)
            .start()) {
      for (int i = 0; i < 4; i++) {
        app.get("/front?error");
      }
      assertEquals(2, target.reached());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void aMethodThatIsChangedBehindTheFilterIsDecidedAgain(boolean secondFilter)
      throws Exception {
    Dispatching.Methods servlet = new Dispatching.Methods();
    try (ServletApp app = overriding(servlet, secondFilter).start()) {
      Answer first = app.send("POST", "/target", "X-Method: DELETE", "Content-Length: 0");
      assertEquals(List.of("methods", "delete"), first.policies());
      assertEquals(1, first.remaining());
      assertEquals(
          List.of(200, 429, 429, 429, 429),
          app.statuses(5, "POST", "/target", "X-Method: DELETE", "Content-Length: 0"));
      assertEquals(2, servlet.reached());
      assertEquals(9, app.send("POST", "/target", "Content-Length: 0").remaining());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void aChangedMethodCostsWhatItCosts(boolean secondFilter) throws Exception {
    Dispatching.Methods servlet = new Dispatching.Methods();
    ServletAppBuilder builder = overriding(servlet, secondFilter).setting("weir.cost.PUT", "5");
    try (ServletApp app = builder.start()) {
      Answer first = app.send("POST", "/target", "X-Method: PUT", "Content-Length: 0");
      assertEquals(List.of("methods"), first.policies());
      assertEquals(7, first.remaining());
      assertEquals(
          List.of(200, 429),
          app.statuses(2, "POST", "/target", "X-Method: PUT", "Content-Length: 0"));
      assertEquals(1, app.send("POST", "/target", "Content-Length: 0").remaining());
    }
  }

  /** Another filter may change the HTTP method of a request. */
  private ServletAppBuilder overriding(CountingServlet servlet, boolean secondFilter) {
    return app(new Dispatching.Open(), servlet)
        .filters(
            (context, weir) -> {
              ServletAppBuilder.filter(context, "one", new RateLimitFilter(weir), "/*");
              ServletAppBuilder.filter(context, "override", override(), "/*");
              if (secondFilter) {
                ServletAppBuilder.filter(context, "two", new RateLimitFilter(weir), "/*");
              }
            });
  }

  private static Filter override() {
    return (request, response, chain) -> {
      HttpServletRequest http = (HttpServletRequest) request;
      String method = http.getHeader("X-Method");
      chain.doFilter(method == null ? http : new Overridden(http, method), response);
    };
  }

  /** A request with another HTTP method. */
  final class Overridden extends HttpServletRequestWrapper {
    private final String method;

    Overridden(HttpServletRequest request, String method) {
      super(request);
      this.method = method;
    }

    @Override
    public String getMethod() {
      return method;
    }
  }

  private ServletAppBuilder app(CountingServlet front, CountingServlet target) {
    return ServletApp.on(this)
        .servlet("/front", front)
        .servlet("/between", new Dispatching.Open())
        .servlet(Dispatching.TARGET, target);
  }

  private static ServletAppBuilder forAllPaths(ServletAppBuilder builder) {
    Map.of("url", "/*", "limit", "1000", "window", "60s")
        .forEach((member, value) -> builder.setting("weir.policy.all." + member, value));
    return builder;
  }
}
