package io.weir.control;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes the OpenAPI document of resources from the annotations of their methods. */
final class OpenApiDocument {
  private OpenApiDocument() {}

  /**
   * Describes resources.
   *
   * @param resources their classes, each with a path
   * @return the document, as maps and lists
   * @throws IllegalArgumentException if a resource method has no {@code @Operation}
   */
  static Map<String, Object> of(Collection<Class<?>> resources) {
    SchemaGenerator schemas = new SchemaGenerator();
    Map<String, Map<String, Object>> paths = new TreeMap<>();
    for (Class<?> each : resources) {
      for (Method method : methods(each)) {
        httpMethod(method)
            .ifPresent(
                name ->
                    paths
                        .computeIfAbsent(path(each, method), any -> new TreeMap<>())
                        .put(
                            name.toLowerCase(Locale.ROOT),
                            new OpenApiOperation(each, method, path(each, method), schemas)
                                .toMap()));
      }
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put("info", Members.of("title", "Weir", "version", "1"));
    document.put("paths", paths);
    document.put("components", components(schemas));
    document.put("security", List.of(Members.of("bearer", List.of())));
    return document;
  }

  private static List<Method> methods(Class<?> type) {
    return Arrays.stream(type.getMethods()).sorted(Comparator.comparing(Method::getName)).toList();
  }

  private static Optional<String> httpMethod(Method method) {
    for (Annotation each : method.getAnnotations()) {
      HttpMethod named = each.annotationType().getAnnotation(HttpMethod.class);
      if (named != null) {
        return Optional.of(named.value());
      }
    }
    return Optional.empty();
  }

  /** Returns the path of a method, without the regular expressions of its variables. */
  private static String path(Class<?> type, Method method) {
    Path own = method.getAnnotation(Path.class);
    String path = type.getAnnotation(Path.class).value() + (own == null ? "" : own.value());
    return path.replaceAll("\\{\\s*([^:}\\s]+)\\s*:(?:[^{}]|\\{[^{}]*})*}", "{$1}");
  }

  private static Map<String, Object> components(SchemaGenerator schemas) {
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("type", "object");
    problem.put(
        "description",
        "An RFC 9457 problem document; field and rule are present for invalid input");
    problem.put(
        "properties",
        Members.of(
            "type", Members.of("type", "string"),
            "title", Members.of("type", "string"),
            "status", Members.of("type", "integer"),
            "detail", Members.of("type", "string"),
            "field", Members.of("type", "string"),
            "rule", Members.of("type", "string"),
            "signIn",
                Members.of(
                    "type",
                    "string",
                    "description",
                    "The application's page for signing in, if the caller has to"),
            "version",
                Members.of(
                    "type",
                    "integer",
                    "description",
                    "The current version of the row, after a conflict")));
    problem.put("required", List.of("type", "title", "status", "detail"));
    Map<String, Object> all = new TreeMap<>(schemas.all());
    all.put("Problem", problem);
    Map<String, Object> components = new LinkedHashMap<>();
    components.put("schemas", all);
    components.put(
        "responses",
        Members.of(
            "Problem",
            Members.of(
                "description",
                "A problem document",
                "content",
                Members.of(
                    "application/problem+json",
                    Members.of("schema", Members.of("$ref", "#/components/schemas/Problem"))))));
    components.put(
        "securitySchemes", Members.of("bearer", Members.of("type", "http", "scheme", "bearer")));
    return components;
  }
}
