package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import io.weir.compat.jaxrs.server.SignInFilter;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeTicker;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests policies that a source adds by the template of the resource. */
interface PolicySourceTests extends Serving {
  @Path("posts")
  class Posts {
    @GET
    @Path("{id: [0-9]+}")
    public String read() {
      return "";
    }

    @GET
    @Path("latest")
    @RateLimit(limit = 5, window = 60, name = "latest")
    public String latest() {
      return "";
    }
  }

  private Api posts() throws Exception {
    AppliedPolicy byAddress =
        AppliedPolicy.of(Policy.builder("all").limit(4).window(Duration.ofMinutes(1)).build());
    AppliedPolicy byUser =
        AppliedPolicy.of(
            Policy.builder("user").limit(2).window(Duration.ofMinutes(1)).by(By.USER).build());
    return serving(Posts.class, SignInFilter.class)
        .setting("weir.store.timeout", "10s") // which the source has, too
        .weir(
            parts ->
                parts.policySource(
                    (request, tier, phase, bound) -> {
                      boolean post = request.endpoint().equals("/posts/{id}");
                      boolean before = phase == DecisionPhase.BEFORE_AUTHENTICATION;
                      return CompletableFuture.supplyAsync(
                          () ->
                              AppliedPolicies.of(
                                  before
                                      ? List.of(byAddress)
                                      : post ? List.of(byUser) : List.of()));
                    }))
        .start();
  }

  @Test
  default void aPolicySourceLimitsTemplatesInBothPhases() throws Exception {
    Api api = posts();
    Response first = api.get("/posts/1", "User", "alice");
    assertEquals(List.of("all", "user"), Fields.names(first.header("RateLimit-Policy")));
    assertEquals(200, api.get("/posts/2", "User", "alice").statusCode());
    assertEquals(429, api.get("/posts/3", "User", "alice").statusCode());
    Response other = api.get("/posts/latest", "User", "alice");
    assertEquals(List.of("latest", "all"), Fields.names(other.header("RateLimit-Policy")));
    Response fifth = api.get("/posts/1", "User", "bob");
    assertEquals(429, fifth.statusCode());
    assertEquals(List.of("all"), fifth.jsonPath().getList("violated-policies"), "alice's stayed");
  }

  @Test
  default void aPolicySourceRefusesWhoIsUnknownOrBlocked() throws Exception {
    Policy rule = Policy.builder("rule").limit(9).window(Duration.ofMinutes(1)).build();
    Instant end = FakeTicker.START.plus(Duration.ofHours(1));
    Api api =
        serving(Posts.class)
            .weir(
                parts ->
                    parts.policySource(
                        (request, tier, phase, bound) ->
                            CompletableFuture.completedStage(
                                AppliedPolicies.of(
                                    phase == DecisionPhase.BEFORE_AUTHENTICATION
                                        ? List.of()
                                        : request.endpoint().equals("/posts/latest")
                                            ? List.of(AppliedPolicy.unavailable(rule))
                                            : List.of(AppliedPolicy.blocked(rule, end))))))
            .start();
    Response blocked = api.get("/posts/1");
    assertEquals(429, blocked.statusCode());
    assertEquals(
        "https://iana.org/assignments/http-problem-types#abnormal-usage-detected",
        blocked.jsonPath().getString("type"));
    assertEquals("3600", blocked.header("Retry-After"));
    for (int i = 0; i < 7; i++) { // the annotation's five are never charged
      Response unknown = api.get("/posts/latest");
      assertEquals(503, unknown.statusCode());
      assertEquals("1", unknown.header("Retry-After"));
    }
  }
}
