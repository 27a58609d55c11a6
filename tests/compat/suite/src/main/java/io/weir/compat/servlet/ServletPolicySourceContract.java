package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests policies that a source adds by the path, for servlets without annotations. */
public interface ServletPolicySourceContract extends ServletServer {
  @Test
  default void aPolicySourceLimitsPathsWithoutAnnotations() throws Exception {
    AppliedPolicy rule =
        AppliedPolicy.of(Policy.builder("rule").limit(2).window(Duration.ofMinutes(1)).build());
    ServletAppBuilder builder =
        new ServletAppBuilder(this)
            .servlet("/posts/*", new Servlets.Free())
            .servlet("/free", new Servlets.Free())
            .parts(
                parts ->
                    parts.policySource(
                        (request, tier, phase, bound) ->
                            CompletableFuture.completedStage(
                                AppliedPolicies.of(
                                    request.endpoint().startsWith("/posts/")
                                        ? List.of(rule)
                                        : List.of()))));
    try (ServletApp app = builder.start()) {
      assertEquals(List.of("rule"), app.get("/posts/1").policies());
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/posts/2"));
      assertEquals(List.of(200, 200, 200), app.statuses(3, "GET", "/free"));
    }
  }

  @Test
  default void aPolicySourceRefusesWhoIsUnknownOrBlocked() throws Exception {
    Policy rule = Policy.builder("rule").limit(9).window(Duration.ofMinutes(1)).build();
    Instant end = Instant.now().plus(Duration.ofHours(1));
    ServletAppBuilder builder =
        new ServletAppBuilder(this)
            .servlet("/blocked", new Servlets.Free())
            .servlet("/unknown", new Servlets.Free())
            .parts(
                parts ->
                    parts.policySource(
                        (request, tier, phase, bound) ->
                            CompletableFuture.completedStage(
                                AppliedPolicies.of(
                                    List.of(
                                        request.endpoint().equals("/unknown")
                                            ? AppliedPolicy.unavailable(rule)
                                            : AppliedPolicy.blocked(rule, end))))));
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(503), app.statuses(1, "GET", "/unknown"));
      assertEquals(List.of(429), app.statuses(1, "GET", "/blocked"));
      String document = app.get("/blocked").body();
      assertTrue(document.contains("#abnormal-usage-detected"), document);
    }
  }
}
