package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.control.Endpoints.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The OpenAPI document agrees with the code. */
interface OpenApiTests extends ControlAppTests {
  private JsonNode document() {
    return app().get("/v1/openapi.json", "alice/").body();
  }

  @Test
  default void itHasEachEndpointAndNoOther() {
    TreeSet<String> expected = new TreeSet<>();
    for (Endpoint each : Endpoints.all()) {
      String path = each.template().replaceAll("\\{\\s*(\\w+)\\s*:[^/]*}", "{$1}");
      expected.add(each.verb().toLowerCase(Locale.ROOT) + " " + path);
    }
    TreeSet<String> described = new TreeSet<>();
    document()
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(verb -> described.add(verb + " " + path.getKey())));
    assertEquals(expected, described);
  }

  @Test
  default void itsReferencesLeadSomewhere() {
    JsonNode document = document();
    List<JsonNode> references = document.findValues("$ref");
    assertFalse(references.isEmpty());
    for (JsonNode each : references) {
      assertTrue(each.asText().startsWith("#/"), each::toString);
      assertFalse(document.at(each.asText().substring(1)).isMissingNode(), each::toString);
    }
    assertEquals("3.1.0", document.get("openapi").asText());
  }

  @Test
  default void itSaysWhoMayCallWhat() {
    JsonNode paths = document().get("paths");
    Map.of(
            "/v1/admin/ratelimit/switches get", "weir-view and weir-admin.",
            "/v1/admin/ratelimit/rules post", "weir-admin. With dryRun=true also for weir-view.",
            "/v1/ratelimit/explain post", "weir-check, weir-view and weir-admin.",
            "/v1/ratelimit/check post", "weir-check and weir-admin.",
            "/v1/session get", "all signed-in callers.",
            "/v1/console/{file} get", "everybody.",
            "/v1/dashboard/status get", "signed-in users.")
        .forEach(
            (operation, callers) -> {
              String[] words = operation.split(" ");
              assertEquals(
                  "Allowed for " + callers,
                  paths.path(words[0]).path(words[1]).path("description").asText(),
                  operation);
            });
    JsonNode file = paths.path("/v1/console/{file}").path("get");
    assertTrue(file.path("security").isArray() && file.path("security").isEmpty());
    assertFalse(file.path("responses").has("401"));
    assertFalse(paths.path("/v1/session").path("get").has("security"));
  }

  @Test
  default void itsPathsHaveTheirVariables() {
    document()
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .forEach(
                        operation -> {
                          List<String> named = new ArrayList<>();
                          operation
                              .path("parameters")
                              .forEach(
                                  each -> {
                                    if (each.get("in").asText().equals("path")) {
                                      named.add("{" + each.get("name").asText() + "}");
                                    }
                                  });
                          for (String each : named) {
                            assertTrue(path.getKey().contains(each), path::getKey);
                          }
                          assertEquals(
                              path.getKey().chars().filter(each -> each == '{').count(),
                              named.size(),
                              path.getKey());
                        }));
  }

  @Test
  default void answersHaveTheMembersThatItNames() {
    app().rule("free", "*", 5);
    assertSchema("CheckAnswer", app().check(DecideTests.ALICE).body());
    assertSchema("ExplainAnswer", app().post("/v1/ratelimit/explain", DecideTests.ALICE).body());
    assertSchema("StatusAnswer", app().get("/v1/ratelimit/status/alice", "alice/").body());
  }

  private void assertSchema(String name, JsonNode answer) {
    assertSchema(document().at("/components/schemas/" + name), answer);
  }

  private void assertSchema(JsonNode schema, JsonNode value) {
    TreeSet<String> expected = new TreeSet<>();
    schema.get("properties").fieldNames().forEachRemaining(expected::add);
    expected.remove("regions"); // missing unless there are any
    TreeSet<String> found = new TreeSet<>();
    value.fieldNames().forEachRemaining(found::add);
    assertEquals(expected, found);
    for (String member : found) {
      JsonNode items = schema.at("/properties/" + member + "/items/$ref");
      if (!items.isMissingNode()) {
        JsonNode inner = document().at(items.asText().substring(1));
        value.get(member).forEach(each -> assertSchema(inner, each));
      }
    }
  }
}
