package io.weir.control;

import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Describes one resource method as an operation of the document. Confine to one thread. */
final class OpenApiOperation {
  private static final String ADMIN = "weir-admin";
  private static final String JSON = "application/json";
  private static final String DESCRIPTION = "description";
  private static final String SCHEMA = "schema";
  private static final Map<String, Object> PROBLEM =
      Members.of("$ref", "#/components/schemas/Problem");

  private final Class<?> resource;
  private final Method method;
  private final String path;
  private final Operation operation;
  private final SchemaGenerator schemas;

  OpenApiOperation(Class<?> resource, Method method, String path, SchemaGenerator schemas) {
    this.resource = resource;
    this.path = path;
    this.method = method;
    this.schemas = schemas;
    Operation described = method.getAnnotation(Operation.class);
    if (described == null) {
      throw new IllegalArgumentException(method + " needs @Operation");
    }
    this.operation = described;
  }

  Map<String, Object> toMap() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("operationId", operationId());
    all.put("summary", operation.value());
    all.put(DESCRIPTION, access());
    List<Map<String, Object>> parameters = parameters();
    if (!parameters.isEmpty()) {
      all.put("parameters", parameters);
    }
    if (operation.body() != Void.class) {
      all.put("requestBody", Members.of("required", true, "content", content(bodyType(), body())));
    }
    all.put("responses", responses());
    if (isOpenToAnyone()) {
      all.put("security", List.of());
    }
    return all;
  }

  private String operationId() {
    return operation.id().isEmpty()
        ? resource.getSimpleName() + "." + method.getName()
        : operation.id();
  }

  private boolean isOpenToAnyone() {
    OpenTo opened = method.getAnnotation(OpenTo.class);
    return opened != null && List.of(opened.value()).contains(ControlRole.ANYONE);
  }

  private String access() {
    OpenTo opened = method.getAnnotation(OpenTo.class);
    if (opened == null) {
      return "Nobody may call this.";
    }
    Set<String> callers = callers(opened.value());
    if (!opened.self().isEmpty()) {
      callers.add("the user that the request concerns");
    }
    String allowed = "Allowed for " + listed(callers) + ".";
    return opened.dryRun().length == 0
        ? allowed
        : allowed + " With dryRun=true also for " + listed(more(opened, callers)) + ".";
  }

  private static Set<String> more(OpenTo opened, Set<String> known) {
    Set<String> more = callers(opened.dryRun());
    more.removeAll(known);
    return more;
  }

  private static Set<String> callers(ControlRole[] roles) {
    Set<String> callers = new LinkedHashSet<>();
    for (ControlRole each : roles) {
      callers.add(
          switch (each) {
            case ADMIN -> ADMIN;
            case VIEW -> "weir-view";
            case CHECK -> "weir-check";
            case USER -> "signed-in users";
            case SIGNED_IN -> "all signed-in callers";
            case ANYONE -> "everybody";
          });
    }
    if (callers.contains("weir-view") || callers.contains("weir-check")) {
      callers.add(ADMIN);
    }
    return callers;
  }

  /** Lists words as a sentence does: one, two and three. */
  private static String listed(Set<String> words) {
    List<String> all = List.copyOf(words);
    int last = all.size() - 1;
    return last == 0
        ? all.get(0)
        : String.join(", ", all.subList(0, last)) + " and " + all.get(last);
  }

  private List<Map<String, Object>> parameters() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Parameter each : method.getParameters()) {
      if (each.isAnnotationPresent(BeanParam.class)) {
        for (Field field : each.getType().getDeclaredFields()) {
          if (isUsed(field)) {
            addParameter(all, field);
          }
        }
      } else {
        addParameter(all, each);
      }
    }
    return all;
  }

  /**
   * A bean may read one value from the path or else from the query; each method has only one of
   * both.
   */
  private boolean isUsed(Field field) {
    PathParam inPath = field.getAnnotation(PathParam.class);
    QueryParam inQuery = field.getAnnotation(QueryParam.class);
    return inPath != null
        ? isVariable(inPath.value())
        : inQuery == null || !isVariable(inQuery.value());
  }

  private boolean isVariable(String name) {
    return path.contains("{" + name + "}");
  }

  private static void addParameter(List<Map<String, Object>> all, AnnotatedElement element) {
    QueryParam query = element.getAnnotation(QueryParam.class);
    PathParam path = element.getAnnotation(PathParam.class);
    HeaderParam header = element.getAnnotation(HeaderParam.class);
    if (query != null) {
      all.add(parameter("query", query.value(), element));
    } else if (path != null) {
      all.add(parameter("path", path.value(), element));
    } else if (header != null) {
      all.add(parameter("header", header.value(), element));
    }
  }

  private static Map<String, Object> parameter(String in, String name, AnnotatedElement element) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("name", name);
    all.put("in", in);
    if (in.equals("path")) {
      all.put("required", true);
    }
    @Nullable Described described = element.getAnnotation(Described.class);
    if (described != null) {
      all.put(DESCRIPTION, described.value());
    }
    all.put(SCHEMA, Members.of("type", "string"));
    return all;
  }

  private Map<String, Object> body() {
    return many(operation.bodies(), operation.body());
  }

  private String bodyType() {
    Consumes consumes = method.getAnnotation(Consumes.class);
    return consumes == null ? JSON : consumes.value()[0];
  }

  private String answerType() {
    Produces produces = method.getAnnotation(Produces.class);
    return produces == null ? JSON : produces.value()[0];
  }

  /** Returns the texts that it may answer instead of JSON. */
  private List<String> furtherTypes() {
    Produces produces = method.getAnnotation(Produces.class);
    if (produces == null) {
      produces = resource.getAnnotation(Produces.class);
    }
    return produces == null ? List.of() : Arrays.stream(produces.value()).skip(1).toList();
  }

  private Map<String, Object> answer() {
    return operation.listsProblems()
        ? oneOf(
            schemas.of(operation.answer()),
            SchemaGenerator.list(oneOf(schemas.of(operation.answer()), PROBLEM)))
        : many(operation.answers(), operation.answer());
  }

  private static Map<String, Object> oneOf(Map<String, Object> one, Map<String, Object> other) {
    return Members.of("oneOf", List.of(one, other));
  }

  private Map<String, Object> many(Many many, Class<?> type) {
    Map<String, Object> one = schemas.of(type);
    return switch (many) {
      case ONE -> one;
      case LIST -> SchemaGenerator.list(one);
      case ONE_OR_LIST -> oneOf(one, SchemaGenerator.list(one));
      case PAGE ->
          Members.of(
              "type",
              "object",
              "properties",
              Members.of(
                  "items",
                  SchemaGenerator.list(one),
                  "next",
                  Members.of("type", List.of("string", "null"))),
              "required",
              List.of("items"));
    };
  }

  private static Map<String, Object> content(String type, Map<String, Object> schema) {
    return Members.of(type, Members.of(SCHEMA, schema));
  }

  private Map<String, Object> responses() {
    Map<String, Object> all = new LinkedHashMap<>();
    Map<String, Object> good = new LinkedHashMap<>();
    good.put(DESCRIPTION, "Success");
    if (operation.answer() != Void.class) {
      Map<String, Object> content = new LinkedHashMap<>(content(answerType(), answer()));
      furtherTypes()
          .forEach(type -> content.put(type, Members.of(SCHEMA, Members.of("type", "string"))));
      good.put("content", content);
    }
    all.put(Integer.toString(status()), good);
    for (int each : errors()) {
      all.put(Integer.toString(each), Members.of("$ref", "#/components/responses/Problem"));
    }
    return all;
  }

  private int status() {
    int usual = operation.answer() == Void.class ? 204 : 200;
    return operation.status() == 0 ? usual : operation.status();
  }

  /** Adds those that follow from the method to those that it names. */
  private Set<Integer> errors() {
    Set<Integer> all = new TreeSet<>();
    Arrays.stream(operation.errors()).forEach(all::add);
    if (!isOpenToAnyone()) {
      all.addAll(List.of(400, 401, 403));
      if (operation.needsDatabase()) {
        all.add(503);
      }
    }
    if (operation.body() != Void.class) {
      all.addAll(List.of(413, 415));
    }
    if (Arrays.stream(method.getParameters()).anyMatch(OpenApiOperation::isIfMatch)) {
      all.addAll(List.of(409, 428));
    }
    return all;
  }

  private static boolean isIfMatch(Parameter parameter) {
    HeaderParam header = parameter.getAnnotation(HeaderParam.class);
    return header != null && header.value().equals(HttpHeaders.IF_MATCH);
  }
}
