package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.compat.BoundRequest;
import io.weir.compat.UserlessCondition;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests two filters around one that signs users in. */
public interface ServletPhasesContract extends ServletServer {
  @Test
  default void a401ChargesTheAddressButNoUser() throws Exception {
    try (ServletApp app = app("before", "after").start()) {
      Answer unknown = app.get("/x");
      assertEquals(401, unknown.status());
      assertEquals(List.of("addresses"), unknown.policies());
      assertEquals(5, unknown.remaining());
      assertEquals(List.of(200, 200), app.statuses(2, "GET", "/x", "X-User: alice"));
      assertEquals(List.of(200), app.statuses(1, "GET", "/x", "X-User: bob"));
    }
  }

  private ServletAppBuilder logins() {
    return ServletApp.on(this)
        .servlet("/login", new Servlets.Login())
        .servlet("/account", new Servlets.Account())
        .parts(
            parts ->
                parts
                    .requestCondition(
                        UserlessCondition.OF_PASSWORDS, UserlessCondition.ofPasswords())
                    .requestCondition(UserlessCondition.OF_USERS, UserlessCondition.ofUsers()))
        .filters(
            (context, weir) -> {
              add(context, weir, "before");
              ServletAppBuilder.filter(context, "sign-in", new SignIn(), "/*");
              add(context, weir, "after");
            });
  }

  @Test
  default void wrongPasswordsCountWhereTheConditionNeedsNoUser() throws Exception {
    try (ServletApp app = logins().start()) {
      assertEquals(List.of(401, 401, 401, 401), app.statuses(4, "GET", "/login"));
      assertEquals(
          List.of(401, 401, 401, 429, 429, 429, 429, 429),
          app.statuses(8, "GET", "/login?password=guess"));
      assertEquals(429, app.get("/login?password=secret", "X-User: alice").status());
    }
  }

  @Test
  default void aConditionThatReadsTheUserAllTheSameIsDecidedAfterTheSignIn() throws Exception {
    try (ServletApp app = logins().start()) {
      assertEquals(List.of(401, 401, 401, 401), app.statuses(4, "GET", "/account"));
      assertEquals(
          List.of(200, 200, 200, 429), app.statuses(4, "GET", "/account", "X-User: alice"));
    }
  }

  @Test
  default void anErrorPageForA401ChargesNoUserEither() throws Exception {
    ServletAppBuilder builder =
        app("before", "after")
            .servlet("/page", new Servlets.Free())
            .webXml("<error-page><location>/page</location></error-page>");
    try (ServletApp app = builder.start()) {
      Answer unknown = app.get("/x");
      assertEquals(401, unknown.status());
      assertEquals(List.of("addresses"), unknown.policies());
    }
  }

  @Test
  default void theSecondPhaseShowsThePoliciesOfBoth() throws Exception {
    try (ServletApp app = app("before", "after").start()) {
      Answer answer = app.get("/x", "X-User: alice");
      assertEquals(List.of("addresses", "users"), answer.policies());
      assertEquals("users", answer.closest());
      assertEquals(1, answer.remaining());
    }
  }

  @Test
  default void whoeverIsRefusedAsAUserAlsoUsesUpItsAddress() throws Exception {
    try (ServletApp app = app("before", "after").start()) {
      assertEquals(List.of(200, 200, 429, 429), app.statuses(4, "GET", "/x", "X-User: alice"));
      Answer refusal = app.get("/x", "X-User: alice");
      assertTrue(refusal.body().contains("[\"users\"]"), refusal.body());
      assertEquals(List.of("addresses", "users"), refusal.policies());
      assertEquals(0, app.get("/x").remaining(), "five of alice's and this one");
      assertEquals(429, app.get("/x").status());
    }
  }

  @Test
  default void noMoreSignInsAreTriedThanTheAddressMayTry() throws Exception {
    SignIn signIn = new SignIn();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Profile())
            .setting("weir.policy.addresses.limit", "3")
            .setting("weir.policy.users.limit", "1")
            .filters(
                (context, weir) -> {
                  add(context, weir, "before");
                  ServletAppBuilder.filter(context, "sign-in", signIn, "/*");
                  add(context, weir, "after");
                });
    try (ServletApp app = builder.start()) {
      app.statuses(20, "GET", "/x", "X-User: alice");
      assertEquals(3, signIn.signedIn());
    }
  }

  @Test
  default void aMistakeInTheSecondPhaseLeavesTheFirstChargedToo() throws Exception {
    SignIn signIn = new SignIn();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Profile())
            .setting("weir.policy.addresses.limit", "3")
            .setting("weir.policy.users.cost-from", "header:X-Amount")
            .filters(
                (context, weir) -> {
                  add(context, weir, "before");
                  ServletAppBuilder.filter(context, "sign-in", signIn, "/*");
                  add(context, weir, "after");
                });
    try (ServletApp app = builder.start()) {
      Answer mistaken = app.get("/x", "X-User: alice");
      assertEquals(400, mistaken.status());
      assertEquals(List.of("addresses"), mistaken.policies());
      assertEquals(2, mistaken.remaining());
      assertEquals(List.of(400, 400, 429), app.statuses(3, "GET", "/x", "X-User: alice"));
      assertEquals(3, signIn.signedIn());
    }
  }

  @Test
  default void oneFilterThatDecidesBothPhasesChargesAllOrNothing() throws Exception {
    for (String phase : List.of("after", "both")) {
      try (ServletApp app = app("", phase).start()) {
        assertEquals(
            List.of(200, 200, 429, 429, 429), app.statuses(5, "GET", "/x", "X-User: alice"));
        assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/x", "X-User: bob"));
        assertEquals(1, app.get("/x", "X-User: carol").remaining(), "the fifth of the address");
      }
    }
  }

  @Test
  default void whoComesBackAtRetryAfterOfBothPhasesIsAdmitted() throws Exception {
    ServletAppBuilder builder =
        app("before", "after")
            .setting("weir.policy.addresses.limit", "2")
            .setting("weir.policy.addresses.window", "1h")
            .setting("weir.policy.users.limit", "1");
    try (ServletApp app = builder.start()) {
      assertEquals(200, app.get("/x", "X-User: alice").status());
      Answer refusal = app.get("/x", "X-User: alice");
      assertTrue(refusal.body().contains("[\"users\"]"), refusal.body());
      long seconds = Long.parseLong(refusal.header("Retry-After").orElseThrow());
      assertTrue(seconds > 3_500, "the address is used up for an hour: " + seconds);
      app.advance(Duration.ofSeconds(seconds));
      assertEquals(200, app.get("/x", "X-User: alice").status());
    }
  }

  @Test
  default void theFirstPhaseRefusesBeforeAnybodySignsIn() throws Exception {
    try (ServletApp app = app("before", "after").start()) {
      assertEquals(List.of(401, 429), app.statuses(7, "GET", "/x").subList(5, 7));
      assertEquals(429, app.get("/x", "X-User: alice").status());
    }
  }

  @Test
  default void aSingleFilterBehindTheSignInDecidesBoth() throws Exception {
    for (String phase : List.of("after", "both")) {
      try (ServletApp app = app("", phase).start()) {
        assertEquals(401, app.get("/x").status());
        Answer answer = app.get("/x", "X-User: alice");
        assertEquals(List.of("addresses", "users"), answer.policies(), phase);
        assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x", "X-User: alice"));
      }
    }
  }

  @Test
  default void theRequestIsKnownToWovenMethodsWhileItRuns() throws Exception {
    List<Boolean> boundAfterwards = new CopyOnWriteArrayList<>();
    Filter outermost =
        (request, response, chain) -> {
          chain.doFilter(request, response);
          boundAfterwards.add(BoundRequest.get().isPresent());
        };
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Woven())
            .filters(
                (context, weir) -> {
                  ServletAppBuilder.filter(context, "outermost", outermost, "/*");
                  add(context, weir, "before");
                  ServletAppBuilder.filter(context, "sign-in", new SignIn(), "/*");
                  add(context, weir, "after");
                });
    try (ServletApp app = builder.start()) {
      Answer answer = app.get("/x", "X-User: alice");
      assertEquals("alice", answer.header("X-Bound").orElseThrow());
      assertEquals("true false", answer.header("X-Charged").orElseThrow());
      app.get("/x");
      assertEquals(List.of(false, false), boundAfterwards);
    }
  }

  @Test
  default void aFirstFilterWithoutASecondIsAMistake() {
    assertThrows(Exception.class, () -> app("before", "").start());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/account/*", "/x/y", "*.do"})
  default void whatTheSecondFilterIsNotMappedToIsDecidedRightBeforeTheServlet(String mapping)
      throws Exception {
    ServletAppBuilder builder = mapped("/*", mapping).servlet("/free", new Servlets.Free());
    try (ServletApp app = builder.start()) {
      Answer answer = app.get("/x", "X-User: alice");
      assertEquals(List.of("addresses", "users"), answer.policies());
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x", "X-User: alice"));
      assertEquals(List.of(200), app.statuses(1, "GET", "/x", "X-User: bob"));
      assertEquals(401, app.get("/x").status());
      assertEquals(200, app.get("/free", "X-User: alice").status());
    }
  }

  @Test
  default void aUrlByUserIsDecidedThereToo() throws Exception {
    ServletAppBuilder builder =
        mapped("/*", "/account/*")
            .servlet("/free", new Servlets.Free())
            .setting("weir.policy.free.url", "/free")
            .setting("weir.policy.free.by", "user")
            .setting("weir.policy.free.limit", "1")
            .setting("weir.policy.free.window", "1m");
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/free", "X-User: alice"));
      assertEquals(List.of(200), app.statuses(1, "GET", "/free", "X-User: bob"));
    }
  }

  @Test
  default void whereNothingStandsBeforeTheServletTheStartIsRefused() throws Exception {
    for (String mapping : List.of("/x", "/late/x", "*.do")) {
      ServletAppBuilder builder = mapped("/*", mapping).webXml(ServletMappingContract.LATE);
      assertThrows(Exception.class, builder::start, mapping);
    }
    for (List<String> mappings :
        List.of(List.of("/*", "/*"), List.of("/*", "/late"), List.of("/x", "/y"))) {
      mapped(mappings.get(0), mappings.get(1)).webXml(ServletMappingContract.LATE).start().close();
    }
  }

  @Test
  default void anUnknownPhaseIsAMistake() {
    assertThrows(Exception.class, () -> app("", "behind").start());
  }

  private ServletAppBuilder app(String first, String second) {
    return ServletApp.on(this)
        .servlet("/x", new Servlets.Profile())
        .filters(
            (context, weir) -> {
              add(context, weir, first);
              ServletAppBuilder.filter(context, "sign-in", new SignIn(), "/*");
              add(context, weir, second);
            });
  }

  private ServletAppBuilder mapped(String before, String after) {
    return ServletApp.on(this)
        .servlet("/x", new Servlets.Profile())
        .filters(
            (context, weir) -> {
              add(context, weir, "before", before);
              ServletAppBuilder.filter(context, "sign-in", new SignIn(), "/*");
              add(context, weir, "after", after);
            });
  }

  private static void add(ServletContext context, Weir weir, String phase, String mapping) {
    ServletAppBuilder.filter(context, phase, new RateLimitFilter(weir), mapping)
        .setInitParameter("phase", phase);
  }

  private static void add(ServletContext context, Weir weir, String phase) {
    if (!phase.isEmpty()) {
      add(context, weir, phase, "/*");
    }
  }
}
