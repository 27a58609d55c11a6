package io.weir.internal.control.json;

import io.weir.internal.settings.NearestWord;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says which JSON values a Java type is read from, and which fields a record has. */
final class TypeErrorMessages {
  /** The rule for values of a type that has no rule of its own. */
  static final String WRONG_TYPE = "must have another type";

  private TypeErrorMessages() {}

  /** Returns the rule for values of a type, which begins with {@code must}. */
  static String rule(@Nullable Class<?> type) {
    if (type == null) {
      return WRONG_TYPE;
    }
    if (type.isEnum()) {
      return "must be one of "
          + Arrays.stream(type.getEnumConstants())
              .map(Object::toString)
              .collect(Collectors.joining(", "));
    }
    if (type == String.class) {
      return TextAndTimeModule.TEXT_RULE;
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

  /** Returns the rule for a field that a record doesn't have, which begins with {@code must}. */
  static String unknownField(String name, Class<?> type) {
    List<String> names =
        Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).toList();
    return "must be one of the fields "
        + String.join(", ", names)
        + NearestWord.to(name, names).map(near -> " (did you mean " + near + "?)").orElse("");
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
    return Map.class.isAssignableFrom(type) || type.isRecord() ? "must be an object" : WRONG_TYPE;
  }
}
