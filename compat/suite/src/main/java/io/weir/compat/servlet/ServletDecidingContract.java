package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.AwayStore;
import io.weir.servlet.RateLimitFilter;
import io.weir.spi.CallerTier;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Each member of the annotation that says who is counted and what happens at the limit, through
 * HTTP: GET has it, POST has it at its default, and the same requests end differently.
 */
public interface ServletDecidingContract extends ServletServer {
  @Test
  default void byEndpointCountsEverybodyTogether() throws Exception {
    try (ServletApp app = app(new DecidingMembers.Everybody()).start()) {
      for (String method : List.of("GET", "POST")) {
        assertEquals(200, app.sendFrom("127.0.0.1", method, "/x").status());
      }
      assertEquals(429, app.sendFrom("127.0.0.2", "GET", "/x").status());
      assertEquals(200, app.sendFrom("127.0.0.2", "POST", "/x").status());
    }
  }

  @Test
  default void byUserCountsEachUserApart() throws Exception {
    ServletAppBuilder builder =
        app(new DecidingMembers.ByUser())
            .filters(
                (context, weir) -> {
                  ServletAppBuilder.filter(context, "sign-in", new SignIn(), "/*");
                  ServletAppBuilder.filter(context, "weir", new RateLimitFilter(weir), "/*");
                });
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x", "X-User: alice"));
      assertEquals(List.of(200), app.statuses(1, "GET", "/x", "X-User: bob"));
      assertEquals(List.of(200), app.statuses(1, "POST", "/x", "X-User: alice"));
      assertEquals(List.of(429), app.statuses(1, "POST", "/x", "X-User: bob"));
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x", "X-User: broken"));
    }
  }

  @Test
  default void keySaysWhatIsCounted() throws Exception {
    try (ServletApp app = app(new DecidingMembers.Keyed()).start()) {
      for (String method : List.of("GET", "POST")) {
        assertEquals(200, app.send(method, "/x", "X-Api-Key: one").status());
      }
      assertEquals(200, app.send("GET", "/x", "X-Api-Key: two").status());
      assertEquals(429, app.send("GET", "/x", "X-Api-Key: one").status());
      assertEquals(429, app.send("POST", "/x", "X-Api-Key: two").status());
    }
  }

  @Test
  default void keyReadsCookies() throws Exception {
    try (ServletApp app = app(new DecidingMembers.ByCookie()).start()) {
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x", "Cookie: a=1; session=s1"));
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x", "Cookie: session=s2"));
      assertEquals(List.of(200, 429), app.statuses(2, "POST", "/x", "Cookie: session=s1"));
    }
  }

  @Test
  default void severalKeysFormOne() throws Exception {
    try (ServletApp app = app(new DecidingMembers.Tuple()).start()) {
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x?a=1&b=23"));
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x?a=12&b=3"));
      assertEquals(200, app.sendFrom("127.0.0.2", "GET", "/x?a=1&b=23").status());
      assertEquals(429, app.get("/x?b=2%33&a=%31").status());
    }
  }

  @Test
  default void softAdmitsAboveTheLimitAndMarksIt() throws Exception {
    try (ServletApp app = app(new DecidingMembers.Soft()).start()) {
      app.statuses(10, "GET", "/x");
      app.statuses(10, "POST", "/x");
      Answer soft = app.get("/x");
      assertEquals(200, soft.status());
      assertTrue(soft.body().startsWith("decision SOFT"), soft.body());
      assertEquals(0, soft.remaining());
      assertEquals(10, soft.number("RateLimit-Policy", "q"));
      assertEquals(429, app.get("/x").status());
      assertEquals(429, app.send("POST", "/x").status());
    }
  }

  @Test
  default void elasticAdmitsWhatTheNodeHasToSpare() throws Exception {
    ServletAppBuilder builder =
        app(new DecidingMembers.Elastic()).parts(parts -> parts.loadSensor(() -> 0.0));
    try (ServletApp app = builder.start()) {
      app.statuses(10, "GET", "/x");
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
      assertEquals(429, app.statuses(11, "POST", "/x").get(10));
    }
  }

  @Test
  default void elasticShedsWith503WhenOverloaded() throws Exception {
    ServletAppBuilder builder =
        app(new DecidingMembers.Elastic()).parts(parts -> parts.loadSensor(() -> 1.0));
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(200, 200, 200, 200, 200, 503), app.statuses(6, "GET", "/x"));
      assertEquals(List.of(200, 200, 200, 200, 200, 200), app.statuses(6, "POST", "/x"));
    }
  }

  @Test
  default void exceedBySaysHowFarSoftGoes() throws Exception {
    try (ServletApp app = app(new DecidingMembers.Exceeding()).start()) {
      assertEquals(List.of(200, 429), app.statuses(16, "GET", "/x").subList(14, 16));
      assertEquals(List.of(200, 429), app.statuses(12, "POST", "/x").subList(10, 12));
    }
  }

  @Test
  default void tiersGiveCallersOtherLimits() throws Exception {
    ServletAppBuilder builder =
        app(new DecidingMembers.Tiered())
            .parts(parts -> parts.tierResolver((request, policy) -> CallerTier.named("gold")));
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(200, 200, 200, 429), app.statuses(4, "GET", "/x"));
      assertEquals(3, app.get("/x").number("RateLimit-Policy", "q"));
      assertEquals(List.of(200, 429), app.statuses(2, "POST", "/x"));
    }
  }

  @Test
  default void overshootReachesTheDecision() throws Exception {
    try (ServletApp app = app(new DecidingMembers.Ahead()).start()) {
      assertEquals("25", app.get("/x").header("X-Overshoot").orElseThrow());
      assertEquals("0", app.send("POST", "/x").header("X-Overshoot").orElseThrow());
    }
  }

  @Test
  default void onStoreFailureSaysWhatHoldsWithoutTheStore() throws Exception {
    ServletAppBuilder builder =
        app(new DecidingMembers.Closed()).parts(parts -> parts.store(new AwayStore()));
    try (ServletApp app = builder.start()) {
      Answer refusal = app.get("/x");
      assertEquals(503, refusal.status());
      assertTrue(refusal.body().contains("#temporary-reduced-capacity"), refusal.body());
      assertTrue(refusal.header("Retry-After").isPresent());
      assertEquals(200, app.send("POST", "/x").status());
    }
  }

  @Test
  default void shadowRefusesNobody() throws Exception {
    try (ServletApp app = app(new DecidingMembers.Watching()).start()) {
      assertEquals(List.of(200, 200), app.statuses(2, "GET", "/x"));
      assertTrue(app.get("/x").body().startsWith("decision SHADOW_REFUSED"));
      assertEquals(List.of(200, 429), app.statuses(2, "POST", "/x"));
    }
  }

  @Test
  default void nameIsWhatCallersSee() throws Exception {
    try (ServletApp app = app(new DecidingMembers.Named()).start()) {
      assertEquals(List.of("own-name"), app.get("/x").policies());
      assertEquals(List.of("Named.doPost"), app.send("POST", "/x").policies());
    }
  }

  @Test
  default void repeatedPoliciesMustAllAdmit() throws Exception {
    try (ServletApp app = app(new DecidingMembers.Repeated()).start()) {
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/x"));
      app.advance(java.time.Duration.ofSeconds(11));
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
      assertEquals("longer", app.get("/x").closest());
      assertEquals(2, app.get("/x").policies().size());
      assertEquals(List.of(200, 200, 429), app.statuses(3, "POST", "/x"));
    }
  }

  private ServletAppBuilder app(CountingServlet servlet) {
    return ServletApp.on(this).servlet("/x", servlet);
  }
}
