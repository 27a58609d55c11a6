package io.weir.compat.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.rules.Rule;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests that endpoints limited by rules send the same fields as annotated ones. */
interface RuleWireTests extends RuleServing {
  /** The policy of the annotation of {@code /api/login}. */
  private void sameAsAnnotated() {
    app().save(Rule.builder("*", "/api/posts").name("posts").countBy(List.of("IP")).limit(5));
  }

  /** Returns all fields that aren't the server's own. */
  private static Map<String, String> fields(Reply reply) {
    Map<String, String> fields = new TreeMap<>();
    reply
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              String lower = name.toLowerCase(Locale.ROOT);
              if (lower.contains("ratelimit")
                  || lower.equals("retry-after")
                  || reply.status() == 429 && lower.startsWith("content-")
                  || lower.equals("cache-control")) {
                fields.put(lower, String.join(", ", values));
              }
            });
    return fields;
  }

  private static String named(Object text) {
    return text.toString().replace("posts", "login");
  }

  @Test
  default void anAdmittedRequestGetsTheSameFields() {
    sameAsAnnotated();
    Reply annotated = app().get("/api/login");
    Reply ruled = app().get("/api/posts");
    assertEquals(200, ruled.status());
    assertEquals("\"posts\";q=5;w=60", ruled.header("RateLimit-Policy").orElseThrow());
    assertEquals(named(fields(annotated)), named(fields(ruled)));
  }

  @Test
  default void aRefusedOneGetsTheSameFieldsStatusAndDocument() {
    sameAsAnnotated();
    assertEquals(5, app().admitted(5, "/api/login"));
    assertEquals(5, app().admitted(5, "/api/posts"));
    Reply annotated = app().get("/api/login");
    Reply ruled = app().get("/api/posts");
    assertEquals(429, annotated.status());
    assertEquals(429, ruled.status());
    assertEquals("application/problem+json", ruled.header("Content-Type").orElseThrow());
    assertEquals(named(fields(annotated)), named(fields(ruled)));
    assertEquals(named(annotated.body()), named(ruled.body()));
  }
}
