package io.weir.compat.bare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.InvalidPolicyException;
import io.weir.InvalidSettingException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Weir;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests Weir with only the address library and JUnit on the class path. */
class BareTest {
  static class Annotated {
    @RateLimit(limit = 1, window = 60, by = By.ENDPOINT)
    public void limited() {}
  }

  static class Mistaken {
    @RateLimit(limit = 0, window = 60)
    public void limited() {}
  }

  @ParameterizedTest
  @CsvSource({
    "io.weir.servlet.RateLimitFilter, jakarta.servlet.Filter",
    "io.weir.jaxrs.RateLimitFeature, jakarta.ws.rs.core.Feature",
    "io.weir.metrics.MicrometerMetrics, io.micrometer.core.instrument.MeterRegistry",
    "io.weir.tracing.OpenTelemetryTracing, io.opentelemetry.api.common.AttributeKey",
    "io.weir.tracing.MicrometerTracing, io.micrometer.tracing.Tracer",
    "io.weir.aspectj.RateLimitAspect, org.aspectj.lang.ProceedingJoinPoint",
    "io.weir.aspectj.InheritedRateLimits, org.aspectj.lang.ProceedingJoinPoint"
  })
  void whatNeedsALibraryNamesIt(String ours, String theirs) {
    NoClassDefFoundError absent =
        assertThrows(NoClassDefFoundError.class, () -> Class.forName(ours).getDeclaredMethods());
    assertTrue(absent.getMessage().startsWith(packageOf(theirs)), absent.getMessage());
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.')).replace('.', '/');
  }

  @ParameterizedTest
  @CsvSource({
    "jakarta.servlet.Filter",
    "jakarta.ws.rs.core.Feature",
    "jakarta.inject.Provider",
    "jakarta.annotation.Priority",
    "org.aspectj.lang.JoinPoint",
    "io.micrometer.core.instrument.MeterRegistry",
    "io.micrometer.tracing.Tracer",
    "io.opentelemetry.api.trace.Span",
    "org.eclipse.microprofile.config.Config",
    "org.glassfish.jersey.server.ResourceConfig",
    "org.glassfish.grizzly.http.server.Request"
  })
  void noOptionalLibraryIsThere(String name) {
    assertThrows(ClassNotFoundException.class, () -> Class.forName(name));
  }

  @ParameterizedTest
  @CsvSource({"io.weir.rules.Rules", "com.zaxxer.hikari.HikariDataSource", "org.h2.Driver"})
  void nothingOfRulesIsThere(String name) {
    assertThrows(ClassNotFoundException.class, () -> Class.forName(name));
  }

  @ParameterizedTest
  @CsvSource({"weir.rules, jdbc:h2:mem:any", "weir.rules.caller, header:X-Api-Key"})
  void aSettingOfRulesSaysWhatToAdd(String name, String value) {
    Map<String, String> setting = Map.of(name, value);
    String says =
        assertThrows(InvalidSettingException.class, () -> Weir.builder().settings(setting).build())
            .getMessage();
    assertTrue(says.contains("`weir.rules` needs weir-rules on the class path"), says);
  }

  @Test
  void anEmptySettingOfRulesNeedsNothing() {
    try (Weir weir = Weir.builder().settings(Map.of("weir.rules", "")).build()) {
      assertEquals("inprocess:", weir.store());
    }
  }

  @Test
  void aStoreInRedisSaysWhichLibraryItNeeds() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    Weir.builder()
                        .settings(Map.of("weir.store", "redis://user:hush@localhost"))
                        .build())
            .getMessage();
    assertTrue(message.contains("redis.clients:jedis"), message);
    assertFalse(message.contains("hush"), message);
  }

  @Test
  void aLimiterDecides() {
    Policy policy = Policy.builder("bare").limit(2).window(Duration.ofMinutes(1)).build();
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      Key key = Key.of("tenant");
      assertTrue(limiter.tryAcquire(policy, key).admitted());
      assertTrue(limiter.tryAcquire(policy, key).admitted());
      Decision third = limiter.tryAcquire(policy, key);
      assertFalse(third.admitted());
      assertEquals("bare", third.policy().name());
    }
  }

  static List<EndpointType> types() {
    return List.of(EndpointType.JAXRS, EndpointType.SERVLET, EndpointType.METHOD);
  }

  @ParameterizedTest
  @MethodSource("types")
  void policiesAreReadAndEnforced(EndpointType site) throws NoSuchMethodException {
    try (WeirRuntime weir = WeirRuntime.of(Weir.builder().build())) {
      GuardedEndpoint endpoint =
          WeirRuntime.of(weir)
              .endpoint(Annotated.class, Annotated.class.getMethod("limited"), site);
      endpoint.enter(new NoRequest()).admit();
      assertThrows(
          io.weir.RateLimitExceededException.class, () -> endpoint.enter(new NoRequest()).admit());
      assertTrue(weir.table().contains("Annotated.limited"), weir.table());
    }
  }

  @Test
  void mistakesAreFound() {
    try (WeirRuntime weir = WeirRuntime.of(Weir.builder().build())) {
      InvalidPolicyException mistake =
          assertThrows(InvalidPolicyException.class, () -> weir.check(Mistaken.class));
      assertTrue(mistake.getMessage().contains("Mistaken#limited"), mistake.getMessage());
    }
  }

  @Test
  void settingsAreReadAndValidated() throws NoSuchMethodException {
    Map<String, String> off = Map.of("weir.enabled", "false");
    try (WeirRuntime weir = WeirRuntime.of(Weir.builder().settings(off).build())) {
      GuardedEndpoint endpoint =
          WeirRuntime.of(weir)
              .endpoint(Annotated.class, Annotated.class.getMethod("limited"), EndpointType.METHOD);
      endpoint.enter(new NoRequest()).admit();
      endpoint.enter(new NoRequest()).admit();
    }
    Map<String, String> unknown = Map.of("weir.enable", "false");
    assertThrows(InvalidSettingException.class, () -> Weir.builder().settings(unknown).build());
  }

  @Test
  void aStoreThatIsNotThereIsNamed() {
    Map<String, String> elsewhere = Map.of("weir.store", "elsewhere://host");
    IllegalArgumentException unknown =
        assertThrows(
            IllegalArgumentException.class, () -> Weir.builder().settings(elsewhere).build());
    assertTrue(unknown.getMessage().contains("'elsewhere'"), unknown.getMessage());
  }
}
