package io.weir.compat.servlet;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItems;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the fields that show callers their limits. */
public interface ServletWireContract extends ServletServer {
  @Test
  default void tellsOfTheLimitOnSuccess() throws Exception {
    try (ServletApp app = app(new Servlets.Hello()).start()) {
      Answer first = app.get("/x");
      assertEquals(200, first.status());
      assertEquals(List.of("hello"), first.policies());
      assertEquals(2, first.number("RateLimit-Policy", "q"));
      assertEquals(10, first.number("RateLimit-Policy", "w"));
      assertEquals(1, first.remaining());
      assertEquals("2", first.header("X-RateLimit-Limit").orElseThrow());
      assertEquals("1", first.header("X-RateLimit-Remaining").orElseThrow());
      assertTrue(first.header("X-RateLimit-Reset").isPresent());
      assertTrue(first.header("Retry-After").isEmpty());
      assertTrue(first.body().contains("decision ADMITTED (WITHIN_LIMIT) by hello"), first.body());
    }
  }

  @Test
  default void refusesWithAProblemDocument() throws Exception {
    Servlets.Hello hello = new Servlets.Hello();
    try (ServletApp app = app(hello).start()) {
      app.statuses(2, "GET", "/x");
      Response refusal = app.client().get("/x");
      refusal
          .then()
          .statusCode(429)
          .contentType("application/problem+json")
          .header("RateLimit-Policy", "\"hello\";q=2;w=10")
          .header("Content-Length", Integer.toString(refusal.asByteArray().length))
          .body("type", equalTo("https://iana.org/assignments/http-problem-types#quota-exceeded"))
          .body("status", equalTo(429))
          .body("error", equalTo("Rate limit exceeded"))
          .body("'violated-policies'", hasItems("hello"))
          .body("retryAfter", equalTo(Integer.parseInt(refusal.header("Retry-After"))));
      assertEquals(2, hello.reached());
    }
  }

  @Test
  default void admitsAgainWhenAnnounced() throws Exception {
    try (ServletApp app = app(new Members.Fixed()).start()) {
      app.advance(Duration.ofMillis(2_500));
      app.statuses(2, "GET", "/x");
      Answer refusal = app.get("/x");
      assertEquals("8", refusal.header("Retry-After").orElseThrow());
      app.advance(Duration.ofMillis(7_500).minusNanos(1_000));
      assertEquals(429, app.get("/x").status());
      app.advance(Duration.ofNanos(1_000));
      assertEquals(200, app.get("/x").status());
    }
  }

  @Test
  default void admitsAgainAfterRetryAfterOfASlidingWindow() throws Exception {
    try (ServletApp app = app(new Servlets.Hello()).start()) {
      app.get("/x");
      app.advance(Duration.ofSeconds(4));
      app.get("/x");
      Answer refusal = app.get("/x");
      long seconds = Long.parseLong(refusal.header("Retry-After").orElseThrow());
      app.advance(Duration.ofSeconds(seconds - 1));
      assertEquals(429, app.get("/x").status());
      app.advance(Duration.ofSeconds(1));
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
    }
  }

  @Test
  default void headCountsAsGetAndItsRefusalHasNoBody() throws Exception {
    Servlets.Hello hello = new Servlets.Hello();
    try (ServletApp app = app(hello).start()) {
      Answer head = app.send("HEAD", "/x");
      assertEquals(200, head.status());
      assertEquals(1, head.remaining());
      app.get("/x");
      Answer refusal = app.send("HEAD", "/x");
      assertEquals(429, refusal.status());
      assertEquals("", refusal.body());
      assertTrue(refusal.header("Retry-After").isPresent());
      assertEquals(2, hello.reached());
    }
  }

  @Test
  default void aServletsOwnHeadAndOptionsHaveTheirOwnPolicies() throws Exception {
    try (ServletApp app = app(new Servlets.Heads()).start()) {
      assertEquals(List.of("heads"), app.send("HEAD", "/x").policies());
      assertEquals(List.of("options"), app.send("OPTIONS", "/x").policies());
      assertEquals(429, app.send("HEAD", "/x").status());
      assertEquals(429, app.send("OPTIONS", "/x").status());
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/x"));
    }
  }

  @Test
  default void generatedAnswersAreNotLimitedByTheMethodsOfOthers() throws Exception {
    try (ServletApp app = app(new Servlets.Hello()).start()) {
      assertEquals(List.of(200, 200, 200), app.statuses(3, "OPTIONS", "/x"));
      assertEquals(List.of(405, 405, 405), app.statuses(3, "POST", "/x"));
      assertEquals(1, app.get("/x").remaining());
    }
  }

  @Test
  default void aClassPolicyIsSharedByMethodsWithoutTheirOwn() throws Exception {
    try (ServletApp app = app(new Servlets.Classy()).start()) {
      assertEquals(List.of(200, 200), app.statuses(2, "GET", "/x"));
      assertEquals(List.of(200, 429), app.statuses(2, "POST", "/x"));
      assertEquals(List.of(200, 429), app.statuses(2, "PUT", "/x"));
      assertEquals(List.of(200, 200), app.statuses(2, "DELETE", "/x"));
      assertEquals(429, app.send("PROPFIND", "/x").status());
    }
  }

  @Test
  default void aServiceMethodIsLimitedForEveryHttpMethod() throws Exception {
    try (ServletApp app = app(new Servlets.Serving()).start()) {
      assertEquals(200, app.get("/x").status());
      assertEquals(200, app.send("PROPFIND", "/x").status());
      assertEquals(429, app.send("POST", "/x").status());
    }
  }

  @Test
  default void anOverridingMethodTakesTheLimitOfTheOneItOverrides() throws Exception {
    try (ServletApp app = app(new Servlets.Child()).start()) {
      assertEquals(List.of(200, 429), app.statuses(2, "GET", "/x"));
    }
  }

  @Test
  default void unlimitedServletsAndOtherPathsSayNothing() throws Exception {
    try (ServletApp app = app(new Servlets.Free()).start()) {
      assertTrue(app.get("/x").header("RateLimit").isEmpty());
      Answer nobody = app.get("/nobody");
      assertEquals(404, nobody.status());
      assertTrue(nobody.header("RateLimit").isEmpty());
    }
  }

  @Test
  default void aDialectIsASetting() throws Exception {
    try (ServletApp app = app(new Servlets.Hello()).setting("weir.headers", "none").start()) {
      assertTrue(app.get("/x").header("RateLimit").isEmpty());
      app.get("/x");
      Answer refusal = app.get("/x");
      assertEquals(429, refusal.status());
      assertTrue(refusal.header("X-RateLimit-Limit").isEmpty());
      assertTrue(refusal.header("Retry-After").isPresent());
    }
  }

  @Test
  default void aDialectCountsTheSecondsFromNow() throws Exception {
    try (ServletApp app =
        app(new Servlets.Hello()).setting("weir.headers", "x-ratelimit-seconds").start()) {
      assertEquals("11", app.get("/x").header("X-RateLimit-Reset").orElseThrow());
      app.get("/x");
      Answer refusal = app.get("/x");
      assertEquals(refusal.header("Retry-After"), refusal.header("X-RateLimit-Reset"));
    }
  }

  @Test
  default void draft6IsADialectOfItsOwn() throws Exception {
    try (ServletApp app = app(new Servlets.Hello()).setting("weir.headers", "draft-6").start()) {
      assertEquals(List.of("2;w=10", "2", "1", "11"), draft6(app.get("/x")));
      app.get("/x");
      Answer refusal = app.get("/x");
      assertEquals(429, refusal.status());
      assertEquals(
          List.of("2;w=10", "2", "0", refusal.header("Retry-After").orElseThrow()),
          draft6(refusal));
      assertTrue(refusal.header("RateLimit").isEmpty());
    }
  }

  private static List<String> draft6(Answer answer) {
    return Stream.of("Policy", "Limit", "Remaining", "Reset")
        .map(each -> answer.header("RateLimit-" + each).orElse("none"))
        .toList();
  }

  @Test
  default void draft7IsADialectOfItsOwn() throws Exception {
    try (ServletApp app = app(new Servlets.Hello()).setting("weir.headers", "draft-7").start()) {
      Answer first = app.get("/x");
      assertEquals("2;w=10", first.header("RateLimit-Policy").orElseThrow());
      assertEquals("limit=2, remaining=1, reset=11", first.header("RateLimit").orElseThrow());
      app.get("/x");
      Answer refusal = app.get("/x");
      assertEquals(429, refusal.status());
      assertEquals("2;w=10", refusal.header("RateLimit-Policy").orElseThrow());
      assertEquals(
          "limit=2, remaining=0, reset=" + refusal.header("Retry-After").orElseThrow(),
          refusal.header("RateLimit").orElseThrow());
    }
  }

  private ServletAppBuilder app(CountingServlet servlet) {
    return ServletApp.on(this).servlet("/x", servlet);
  }
}
