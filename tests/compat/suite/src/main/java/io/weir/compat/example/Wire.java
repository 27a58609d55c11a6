package io.weir.compat.example;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.testkit.FakeTicker;
import java.util.List;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;

/** Reads responses as a client does. */
final class Wire {
  static final String QUOTA = "quota-exceeded";
  static final String CAPACITY = "temporary-reduced-capacity";
  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  private Wire() {}

  /** Returns the permits left under the closest policy. */
  static long left(Response response) {
    return number(response, "RateLimit", "r");
  }

  /** Returns a parameter of a field's first item. */
  static long number(Response response, String field, String parameter) {
    ListElement<?> first = items(response, field).get(0);
    return Long.parseLong(requireNonNull(first.getParams().get(parameter)).get().toString());
  }

  /** Returns the names in a field. */
  static List<String> names(Response response, String field) {
    return items(response, field).stream().map(each -> (String) each.get()).toList();
  }

  private static List<ListElement<?>> items(Response response, String field) {
    String value = response.header(field);
    assertTrue(value != null, () -> field + " is missing from " + response.headers());
    return Parser.parseList(value).get().stream().<ListElement<?>>map(each -> each).toList();
  }

  static long retryAfter(Response response) {
    return Long.parseLong(response.header("Retry-After"));
  }

  /** Expects the fields of an admitted request, in both dialects, saying the same. */
  static void showsLimit(Response response, FakeTicker ticker, String policy, long limit, long r) {
    assertAll(
        () -> assertTrue(names(response, "RateLimit-Policy").contains(policy)),
        () -> assertEquals(List.of(policy), names(response, "RateLimit")),
        () -> assertEquals(r, left(response)),
        () -> assertEquals(Long.toString(limit), response.header("X-RateLimit-Limit")),
        () -> assertEquals(Long.toString(r), response.header("X-RateLimit-Remaining")),
        () -> assertEquals(resetAt(response, ticker), response.header("X-RateLimit-Reset")),
        () -> assertNull(response.header("Retry-After")));
  }

  /** Both dialects round alike, since the test's clock is at whole seconds. */
  private static String resetAt(Response response, FakeTicker ticker) {
    long now = ticker.epochMicros() / 1_000_000;
    return Long.toString(now + number(response, "RateLimit", "t"));
  }

  /** Expects 429 by these policies. */
  static void refused(Response response, String... policies) {
    assertEquals(429, response.statusCode(), response::asString);
    explains(response, QUOTA, policies);
  }

  /** Expects the fields and the body of a refusal. */
  static void explains(Response response, String type, String... policies) {
    assertAll(
        () -> assertTrue(response.contentType().startsWith("application/problem+json")),
        () -> assertEquals(TYPES + type, response.path("type")),
        () -> assertEquals(response.statusCode(), response.<Integer>path("status")),
        () -> assertEquals(List.of(policies), response.path("violated-policies")),
        () -> assertEquals(retryAfter(response), response.<Integer>path("retryAfter").longValue()),
        () -> assertTrue(retryAfter(response) >= 1),
        () -> assertTrue(names(response, "RateLimit-Policy").containsAll(List.of(policies))),
        () -> assertTrue(List.of(policies).containsAll(names(response, "RateLimit"))),
        () -> assertTrue(response.header("X-RateLimit-Limit") != null),
        () -> assertTrue(response.header("X-RateLimit-Remaining") != null),
        () -> assertTrue(response.header("X-RateLimit-Reset") != null));
  }

  /** Expects that the endpoint answered. */
  static void answers(Response response, String endpoint) {
    assertEquals(200, response.statusCode(), response::asString);
    assertTrue(response.contentType().startsWith("application/json"), response::contentType);
    assertTrue(response.asString().contains("\"endpoint\":\"" + endpoint + "\""));
    assertEquals(endpoint, response.path("endpoint"));
  }
}
