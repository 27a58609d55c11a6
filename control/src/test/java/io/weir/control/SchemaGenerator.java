package io.weir.control;

import io.weir.internal.control.json.OmittedIfNull;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.SchemaName;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes JSON Schemas of records, with a member for each component. Each record is described once
 * and referred to by its simple name.
 *
 * <p>Confine to one thread.
 */
final class SchemaGenerator {
  private static final String TYPE = "type";
  private static final String STRING = "string";
  private static final String FORMAT = "format";
  private static final String INTEGER = "integer";

  private final Map<String, Object> byName = new TreeMap<>();
  private final Map<String, Class<?>> types = new TreeMap<>();

  /** Returns the schemas of all records so far, by name. */
  Map<String, Object> all() {
    return byName;
  }

  /** Returns the schema of a type, or a reference to it. */
  Map<String, Object> of(Type type) {
    if (type instanceof ParameterizedType generic) {
      return ofGeneric(generic);
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isRecord()) {
      return reference(plain);
    }
    if (plain.isEnum()) {
      List<String> words =
          Arrays.stream(plain.getEnumConstants()).map(each -> ((Enum<?>) each).name()).toList();
      return Members.of(TYPE, STRING, "enum", words);
    }
    return ofPlain(plain);
  }

  private Map<String, Object> ofGeneric(ParameterizedType generic) {
    Class<?> raw = (Class<?>) generic.getRawType();
    Type[] arguments = generic.getActualTypeArguments();
    if (Collection.class.isAssignableFrom(raw)) {
      return list(of(arguments[0]));
    }
    if (Map.class.isAssignableFrom(raw)) {
      return Members.of(TYPE, "object", "additionalProperties", of(arguments[1]));
    }
    throw new IllegalArgumentException("no schema for " + generic);
  }

  private static Map<String, Object> ofPlain(Class<?> type) {
    if (type == String.class) {
      return Members.of(TYPE, STRING);
    }
    if (type == Instant.class) {
      return Members.of(TYPE, STRING, FORMAT, "date-time");
    }
    if (type == LocalDate.class) {
      return Members.of(TYPE, STRING, FORMAT, "date");
    }
    if (type == boolean.class || type == Boolean.class) {
      return Members.of(TYPE, "boolean");
    }
    if (type == double.class || type == Double.class) {
      return Members.of(TYPE, "number");
    }
    if (type == long.class || type == Long.class) {
      return Members.of(TYPE, INTEGER, FORMAT, "int64");
    }
    if (type == int.class || type == Integer.class) {
      return Members.of(TYPE, INTEGER, FORMAT, "int32");
    }
    if (type == Object.class) {
      return Members.of();
    }
    throw new IllegalArgumentException("no schema for " + type);
  }

  /** Returns the schema of a list. */
  static Map<String, Object> list(Map<String, Object> items) {
    return Members.of(TYPE, "array", "items", items);
  }

  private Map<String, Object> reference(Class<?> type) {
    @Nullable SchemaName given = type.getAnnotation(SchemaName.class);
    String name = given == null ? type.getSimpleName() : given.value();
    @Nullable Class<?> known = types.putIfAbsent(name, type);
    if (known == null) {
      byName.put(name, object(type));
    } else if (known != type) {
      throw new IllegalArgumentException("two records have the name " + name);
    }
    return Members.of("$ref", "#/components/schemas/" + name);
  }

  private Map<String, Object> object(Class<?> type) {
    Map<String, Object> members = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (RecordComponent each : type.getRecordComponents()) {
      boolean isNullable = isNullable(each.getAnnotatedType());
      boolean isOmitted = each.getAccessor().isAnnotationPresent(OmittedIfNull.class);
      members.put(each.getName(), member(each, isNullable && !isOmitted));
      if (!isNullable) {
        required.add(each.getName());
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put(TYPE, "object");
    schema.put("properties", members);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    return schema;
  }

  private Map<String, Object> member(RecordComponent component, boolean isNullable) {
    Map<String, Object> schema = new LinkedHashMap<>(of(component.getGenericType()));
    if (isNullable && schema.get(TYPE) instanceof String type) {
      schema.put(TYPE, List.of(type, "null"));
    } else if (isNullable && schema.containsKey("$ref")) {
      Map<String, Object> value = Members.of("$ref", String.valueOf(schema.remove("$ref")));
      schema.put("anyOf", List.of(value, Members.of(TYPE, "null")));
    }
    Described described = component.getAnnotation(Described.class);
    if (described != null) {
      schema.put("description", described.value());
    }
    return schema;
  }

  private static boolean isNullable(AnnotatedType type) {
    return type.isAnnotationPresent(Nullable.class);
  }
}
