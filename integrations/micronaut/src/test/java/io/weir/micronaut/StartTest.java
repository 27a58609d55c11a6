package io.weir.micronaut;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.filter.HttpServerFilter;
import io.micronaut.http.filter.ServerFilterChain;
import io.micronaut.http.filter.ServerFilterPhase;
import io.micronaut.http.server.annotation.PreMatching;
import io.weir.InvalidPolicyException;
import io.weir.InvalidSettingException;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowKt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;

/** What stops the start, and what it names. */
class StartTest {
  @Requires(property = "test.start", value = "controller")
  @Controller("/wrong")
  static class WrongController {
    @Get
    @RateLimit(limit = 0, window = 60, name = "nothing")
    String nothing() {
      return "";
    }
  }

  @Requires(property = "test.start", value = "bean")
  @Singleton
  static class WrongBean {
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "param:missing", name = "of-missing")
    void pay(String amount) {}
  }

  @Requires(property = "test.start", value = "static")
  @Singleton
  static class StaticMethod {
    @RateLimit(limit = 1, window = 60, name = "static")
    static void pay() {}
  }

  @Requires(property = "test.start", value = "flow")
  @Singleton
  static class FlowingBean {
    @RateLimit(limit = 1, window = 60, name = "flowing")
    Flow<String> pay() {
      return FlowKt.emptyFlow();
    }
  }

  /** Micronaut makes no advice for what a factory returns. */
  static class Made {
    @RateLimit(limit = 1, window = 60, name = "made")
    void pay() {}
  }

  @Requires(property = "test.start", value = "made")
  @Factory
  static class Maker {
    @Singleton
    Made made() {
      return new Made();
    }
  }

  @Requires(property = "test.start", value = "filters")
  @ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
  static class Unordered {
    @RequestFilter
    void filter(HttpRequest<?> request) {}
  }

  @Requires(property = "test.start", value = "filters")
  @Filter(Filter.MATCH_ALL_PATTERN)
  static class OldStyle implements HttpServerFilter {
    @Override
    public Publisher<io.micronaut.http.MutableHttpResponse<?>> doFilter(
        HttpRequest<?> request, ServerFilterChain chain) {
      return chain.proceed(request);
    }
  }

  @Requires(property = "test.start", value = "filters")
  @ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
  static class Early {
    @RequestFilter
    @Order(1)
    void filter(HttpRequest<?> request) {}
  }

  /** The method's order comes before the object's, so that needn't be made. */
  @Requires(property = "test.start", value = "filters")
  @ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
  static class NeverMade implements Ordered {
    NeverMade() {
      throw new IllegalStateException("made");
    }

    @RequestFilter
    @Order(39_000)
    void filter(HttpRequest<?> request) {}

    @Override
    public int getOrder() {
      return 1;
    }
  }

  @Requires(property = "test.start", value = "filters")
  @Filter(Filter.MATCH_ALL_PATTERN)
  static class Broken extends OldStyle {
    Broken() {
      throw new IllegalStateException("on purpose");
    }

    @Override
    public int getOrder() {
      return 1;
    }
  }

  @Requires(property = "test.start", value = "filters")
  @ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
  static class Later {
    @RequestFilter
    @Order(39_000)
    void filter(HttpRequest<?> request) {}
  }

  @Requires(property = "test.start", value = "filters")
  @ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
  static class Matching {
    @RequestFilter
    @PreMatching
    @Order(39_000)
    void filter(HttpRequest<?> request) {}
  }

  @Requires(property = "test.start", value = "filters")
  @ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
  static class OfResponses {
    @ResponseFilter
    void filter(HttpResponse<?> response) {}
  }

  private static Throwable cause(Throwable thrown) {
    Throwable each = thrown;
    while (!(each instanceof InvalidPolicyException || each instanceof InvalidSettingException)
        && each.getCause() != null) {
      each = each.getCause();
    }
    return each;
  }

  @ParameterizedTest
  @CsvSource({
    "controller, WrongController#nothing",
    "bean, WrongBean#pay",
    "static, StaticMethod#pay",
    "flow, FlowingBean#pay",
    "weir.policy.any.limits, weir.policy.any.limits"
  })
  void mistakesStopTheStart(String mistake, String named) {
    Map<String, Object> properties =
        mistake.startsWith("weir.") ? Map.of(mistake, "1") : Map.of("test.start", mistake);
    Throwable thrown =
        cause(
            assertThrows(RuntimeException.class, () -> ApplicationContext.run(properties).close()));
    assertTrue(String.valueOf(thrown.getMessage()).contains(named), thrown::toString);
  }

  @Test
  void namesMethodsThatNoAdviceLimits() {
    try (LoggedLines log = new LoggedLines();
        ApplicationContext context = ApplicationContext.run(Map.of("test.start", "made"))) {
      assertTrue(context.isRunning());
      List<String> named = log.warnings("These methods");
      assertEquals(1, named.size());
      assertTrue(named.get(0).endsWith(": " + Made.class.getName() + "#pay"), named::toString);
    }
  }

  @Test
  void namesFiltersThatDontRunBetweenItsOwn() {
    assertEquals(ServerFilterPhase.TRACING.after() + 251, RateLimitFilter.BEFORE_SIGN_IN);
    try (LoggedLines log = new LoggedLines();
        ApplicationContext context = ApplicationContext.run(Map.of("test.start", "filters"))) {
      assertTrue(context.isRunning());
      List<String> named = log.warnings("These filters run before");
      assertEquals(1, named.size());
      assertTrue(
          named
              .get(0)
              .endsWith(
                  ": "
                      + String.join(
                          ", ",
                          Early.class.getName(),
                          Matching.class.getName(),
                          OldStyle.class.getName())),
          named::toString);
      List<String> later = log.warnings("These filters may run after");
      assertEquals(1, later.size());
      assertTrue(later.get(0).endsWith(": " + Unordered.class.getName()), later::toString);
      List<String> unknown = log.warnings("The order of the filter");
      assertEquals(1, unknown.size());
      assertTrue(unknown.get(0).contains(Broken.class.getName()), unknown::toString);
    }
  }
}
