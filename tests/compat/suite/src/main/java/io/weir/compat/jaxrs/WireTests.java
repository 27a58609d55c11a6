package io.weir.compat.jaxrs;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.restassured.response.Response;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.RateLimiter;
import io.weir.annotation.Algorithm;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import io.weir.compat.jaxrs.server.RawClient;
import io.weir.compat.jaxrs.server.RawClient.Answer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests responses. */
interface WireTests extends Serving {
  @Path("/")
  class Hello {
    @GET
    @Path("hello")
    @RateLimit(limit = 2, window = 10, algorithm = Algorithm.FIXED_WINDOW)
    public String hello() {
      return "hello";
    }

    @GET
    @Path("copies")
    @RateLimit(limit = 2, window = 10, algorithm = Algorithm.FIXED_WINDOW)
    public jakarta.ws.rs.core.Response copies() {
      return jakarta.ws.rs.core.Response.ok("").header("RateLimit", "\"upstream\";r=1;t=1").build();
    }

    /** Throws like a woven method that it calls. */
    @GET
    @Path("inner")
    @RateLimit(limit = 2, window = 10, algorithm = Algorithm.FIXED_WINDOW)
    public String inner() {
      Policy policy = Policy.builder("inner").limit(1).window(Duration.ofMinutes(5)).build();
      try (RateLimiter limiter = RateLimiter.inProcess()) {
        limiter.tryAcquire(policy, Key.everybody());
        Decision refused = limiter.tryAcquire(policy, Key.everybody());
        throw new RateLimitExceededException(refused);
      }
    }
  }

  /** Throws like a woven method that another thread calls. */
  @Path("later")
  class Later {
    @GET
    @RateLimit(limit = 2, window = 10)
    public CompletionStage<String> later() {
      return CompletableFuture.supplyAsync(() -> new Hello().inner());
    }
  }

  private Api hello() throws Exception {
    return serving(Hello.class).start();
  }

  @Test
  default void tellsWhatIsLeft() throws Exception {
    Response first = hello().get("/hello");
    first.then().statusCode(200).body(equalTo("hello"));
    assertEquals("\"Hello.hello\";q=2;w=10", first.header("RateLimit-Policy"));
    assertEquals(List.of("Hello.hello"), Fields.names(first.header("RateLimit")));
    assertEquals(1, Api.left(first));
    assertEquals("2", first.header("X-RateLimit-Limit"));
    assertEquals("1", first.header("X-RateLimit-Remaining"));
    assertNull(first.header("Retry-After"));
  }

  @Test
  default void explainsARefusal() throws Exception {
    Api api = hello();
    assertEquals(2, api.admitted("/hello"));
    Response refused = api.get("/hello");
    assertEquals(429, refused.statusCode());
    assertEquals("10", refused.header("Retry-After"));
    assertEquals(0, Api.left(refused));
    refused
        .then()
        .contentType("application/problem+json")
        .body("type", equalTo("https://iana.org/assignments/http-problem-types#quota-exceeded"))
        .body("status", equalTo(429))
        .body("violated-policies", equalTo(List.of("Hello.hello")))
        .body("retryAfter", equalTo(10))
        .body("detail", containsString("Hello.hello"));
  }

  @Test
  default void admitsAgainExactlyWhenAnnounced() throws Exception {
    Api api = hello();
    api.pass(Duration.ofMillis(1_500));
    assertEquals(2, api.admitted("/hello"));
    Duration announced =
        Duration.ofSeconds(Long.parseLong(api.get("/hello").header("Retry-After")));
    api.pass(announced.minusSeconds(1));
    assertEquals(429, api.get("/hello").statusCode());
    api.pass(Duration.ofSeconds(1));
    assertEquals(200, api.get("/hello").statusCode());
  }

  @Test
  default void eachFieldComesOnce() throws Exception {
    Api api = hello();
    for (int status : List.of(200, 200, 429)) {
      Answer answer = RawClient.send(api.base(), "GET /hello HTTP/1.1").orElseThrow();
      assertEquals(status, answer.status());
      for (String name : List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Remaining")) {
        assertEquals(1, answer.values(name).size(), name);
      }
      assertEquals(status == 429 ? 1 : 0, answer.values("Retry-After").size());
    }
  }

  @Test
  default void ourFieldsReplaceThoseOfTheResponse() throws Exception {
    Api api = hello();
    Answer answer = RawClient.send(api.base(), "GET /copies HTTP/1.1").orElseThrow();
    assertEquals(1, answer.values("RateLimit").size());
    assertEquals(List.of("Hello.copies"), Fields.names(answer.values("RateLimit").get(0)));
  }

  @Test
  default void aRefusalFromWithinSpeaksForItself() throws Exception {
    Response refused = hello().get("/inner");
    assertEquals(429, refused.statusCode());
    assertEquals(List.of("inner"), Fields.names(refused.header("RateLimit-Policy")));
    assertEquals(List.of("inner"), Fields.names(refused.header("RateLimit")));
    assertEquals("1", refused.header("X-RateLimit-Limit"));
    refused.then().body("violated-policies", equalTo(List.of("inner")));
    assertEquals(
        MediaType.valueOf("application/problem+json"),
        MediaType.valueOf(refused.header(HttpHeaders.CONTENT_TYPE)));
  }

  @Test
  default void aRefusalFromWithinAStageSpeaksForItself() throws Exception {
    Response refused = serving(Later.class).start().get("/later");
    assertEquals(429, refused.statusCode());
    assertEquals(List.of("inner"), Fields.names(refused.header("RateLimit-Policy")));
  }

  @Test
  default void aHeadHasNoBody() throws Exception {
    Api api = hello();
    assertEquals(2, api.admitted("/hello"));
    Answer answer = RawClient.send(api.base(), "HEAD /hello HTTP/1.1").orElseThrow();
    assertEquals(429, answer.status());
    assertEquals("", answer.body());
    assertEquals(List.of("10"), answer.values("Retry-After"));
  }

  @Test
  default void theDialectIsASetting() throws Exception {
    Api api = serving(Hello.class).setting("weir.headers", "x-ratelimit-seconds").start();
    Response response = api.get("/hello");
    assertNull(response.header("RateLimit"));
    assertEquals("1", response.header("X-RateLimit-Remaining"));
    assertEquals("10", response.header("X-RateLimit-Reset"), "seconds from now");
  }

  @Test
  default void draft6IsADialectOfItsOwn() throws Exception {
    Api api = serving(Hello.class).setting("weir.headers", "draft-6").start();
    assertEquals(List.of("2;w=10", "2", "1", "10"), draft6(api.get("/hello")));
    api.get("/hello");
    Response refused = api.get("/hello");
    assertEquals(429, refused.statusCode());
    assertEquals(List.of("2;w=10", "2", "0", "10"), draft6(refused));
    assertEquals("10", refused.header("Retry-After"));
    assertNull(refused.header("RateLimit"));
  }

  private static List<String> draft6(Response response) {
    return Stream.of("Policy", "Limit", "Remaining", "Reset")
        .map(each -> String.valueOf(response.header("RateLimit-" + each)))
        .toList();
  }

  @Test
  default void draft7IsADialectOfItsOwn() throws Exception {
    Api api = serving(Hello.class).setting("weir.headers", "draft-7").start();
    Response first = api.get("/hello");
    assertEquals("2;w=10", first.header("RateLimit-Policy"));
    assertEquals("limit=2, remaining=1, reset=10", first.header("RateLimit"));
    api.get("/hello");
    Response refused = api.get("/hello");
    assertEquals(429, refused.statusCode());
    assertEquals("2;w=10", refused.header("RateLimit-Policy"));
    assertEquals("limit=2, remaining=0, reset=10", refused.header("RateLimit"));
  }

  @Test
  default void otherPathsShowNothing() throws Exception {
    Response nowhere = hello().get("/nowhere");
    assertEquals(404, nowhere.statusCode());
    assertNull(nowhere.header("RateLimit"));
  }
}
