package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.AwayStore;
import io.weir.spi.CallerTier;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests each member of the annotation over HTTP. */
public interface ServletMembersContract extends ServletServer {
  @ParameterizedTest
  @MethodSource("io.weir.compat.servlet.MemberCase#all")
  default void aMemberChangesHowTheSameRequestsEnd(MemberCase member) throws Exception {
    try (ServletApp app = member.start(this)) {
      assertEquals(
          List.of(
              MemberCase.statuses(member.endsWith()), MemberCase.statuses(member.endsWithout())),
          member.run(app));
      assertTrue(member.without().reached() > 0);
    }
  }

  @Test
  default void aRequestShowsWhatItCost() throws Exception {
    try (ServletApp app = app(new Members.Costly()).start()) {
      assertEquals(5, app.get("/x").remaining());
    }
  }

  @Test
  default void headCostsWhatGetCostsUnlessADoHeadAnswers() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Hello())
            .servlet("/y", new Servlets.Heads())
            .servlet("/z", new Servlets.Serving())
            .setting("weir.cost.GET", "5");
    for (String policy : List.of("hello", "gets", "heads", "service")) {
      builder.setting("weir.policy." + policy + ".limit", "10");
    }
    try (ServletApp app = builder.start()) {
      assertEquals(5, app.send("HEAD", "/x").remaining());
      assertEquals(List.of(200, 429), app.statuses(2, "HEAD", "/x"));
      assertEquals(9, app.send("HEAD", "/y").remaining());
      assertEquals(5, app.get("/y").remaining());
      assertEquals(5, app.send("HEAD", "/z").remaining());
    }
  }

  @Test
  default void headCostsWhatGetCostsByAPathToo() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Free())
            .servlet("/y", new Servlets.Heads())
            .setting("weir.cost.GET", "5")
            .setting("weir.policy.gets.limit", "100")
            .setting("weir.policy.heads.limit", "100")
            .setting("weir.policy.all.url", "/*")
            .setting("weir.policy.all.limit", "20")
            .setting("weir.policy.all.window", "60s");
    try (ServletApp app = builder.start()) {
      assertEquals(15, app.send("HEAD", "/x").remaining());
      assertEquals(14, app.send("HEAD", "/y").remaining());
      assertEquals(9, app.get("/y").remaining());
    }
  }

  @Test
  default void softMarksWhatIsAboveTheLimit() throws Exception {
    try (ServletApp app = app(new Members.Soft()).start()) {
      app.statuses(10, "GET", "/x");
      Answer soft = app.get("/x");
      assertTrue(soft.body().startsWith("decision SOFT"), soft.body());
      assertEquals(0, soft.remaining());
      assertEquals(10, soft.number("RateLimit-Policy", "q"));
    }
  }

  @Test
  default void callersSeeTheLimitOfTheirTier() throws Exception {
    ServletAppBuilder builder =
        app(new Members.Tiered())
            .parts(parts -> parts.tierResolver((request, policy) -> CallerTier.named("gold")));
    try (ServletApp app = builder.start()) {
      assertEquals(3, app.get("/x").number("RateLimit-Policy", "q"));
    }
  }

  @Test
  default void overshootReachesTheDecision() throws Exception {
    try (ServletApp app = app(new Members.Ahead()).servlet("/y", new Members.Ten()).start()) {
      assertEquals("25", app.get("/x").header("X-Overshoot").orElseThrow());
      assertEquals("0", app.get("/y").header("X-Overshoot").orElseThrow());
    }
  }

  @Test
  default void withoutTheStoreARefusalSaysThatCapacityIsReduced() throws Exception {
    ServletAppBuilder builder =
        app(new Members.Closed()).parts(parts -> parts.store(new AwayStore()));
    try (ServletApp app = builder.start()) {
      Answer refusal = app.get("/x");
      assertEquals(503, refusal.status());
      assertTrue(refusal.body().contains("#temporary-reduced-capacity"), refusal.body());
      assertTrue(refusal.header("Retry-After").isPresent());
    }
  }

  @Test
  default void shadowMarksWhomItWouldRefuse() throws Exception {
    try (ServletApp app = app(new Members.Watching()).start()) {
      app.get("/x");
      assertTrue(app.get("/x").body().startsWith("decision SHADOW_REFUSED"));
    }
  }

  @Test
  default void nameIsWhatCallersSee() throws Exception {
    ServletAppBuilder builder =
        app(new Members.Named())
            .servlet("/class", new Members.One())
            .servlet("/method", new Servlets.Unnamed());
    try (ServletApp app = builder.start()) {
      assertEquals(List.of("own-name"), app.get("/x").policies());
      assertEquals(List.of("One"), app.get("/class").policies());
      assertEquals(List.of("Unnamed.doGet"), app.get("/method").policies());
    }
  }

  @Test
  default void ofRepeatedPoliciesCallersSeeAllAndTheClosest() throws Exception {
    try (ServletApp app = app(new Members.Repeated()).start()) {
      app.statuses(2, "GET", "/x");
      app.advance(Duration.ofSeconds(11));
      app.get("/x");
      assertEquals("longer", app.get("/x").closest());
      assertEquals(2, app.get("/x").policies().size());
    }
  }

  private ServletAppBuilder app(CountingServlet servlet) {
    return ServletApp.on(this).servlet("/x", servlet);
  }
}
