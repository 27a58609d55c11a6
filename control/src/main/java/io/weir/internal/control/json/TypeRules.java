package io.weir.internal.control.json;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is told to whoever sent a value of the wrong kind. */
final class TypeRules {
  private TypeRules() {}

  /** The rule for values of a type. */
  static String rule(@Nullable Class<?> type) {
    if (type == null) {
      return "must be of another kind";
    }
    if (type.isEnum()) {
      return "must be one of "
          + Arrays.stream(type.getEnumConstants())
              .map(Object::toString)
              .collect(Collectors.joining(", "));
    }
    if (type == String.class) {
      return ScalarModule.TEXT_RULE;
    }
    if (type == Instant.class) {
      return Iso8601.INSTANT_RULE;
    }
    if (type == LocalDate.class) {
      return Iso8601.DAY_RULE;
    }
    if (type == Boolean.class || type == boolean.class) {
      return "must be true or false";
    }
    return composed(type);
  }

  private static String composed(Class<?> type) {
    if (type == Double.class || type == double.class) {
      return "must be a number";
    }
    if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
      return "must be a whole number";
    }
    if (Collection.class.isAssignableFrom(type)) {
      return "must be a list";
    }
    return Map.class.isAssignableFrom(type) || type.isRecord()
        ? "must be an object"
        : "must be of another kind";
  }
}
