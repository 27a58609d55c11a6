package io.weir.internal.control.json;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes the records that are written as JSON of values by the names of their members. A member of
 * another name than its value's, or with another value, is put into {@link #members} before.
 *
 * <p>Safe for concurrent use.
 */
public final class JsonRecords {
  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return Shape.of(type);
        }
      };

  private record Shape(
      List<String> names, List<Method> getters, List<Type> types, Constructor<?> constructor) {
    static Shape of(Class<?> type) {
      RecordComponent[] components = type.getRecordComponents();
      try {
        Constructor<?> constructor =
            type.getDeclaredConstructor(
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        constructor.setAccessible(true);
        List<Method> getters = Arrays.stream(components).map(RecordComponent::getAccessor).toList();
        getters.forEach(each -> each.setAccessible(true));
        return new Shape(
            getters.stream().map(Method::getName).toList(),
            getters,
            Arrays.stream(components).map(RecordComponent::getGenericType).toList(),
            constructor);
      } catch (ReflectiveOperationException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private JsonRecords() {}

  /** Returns the names of a record's members, in order. */
  public static List<String> names(Class<? extends Record> type) {
    return SHAPES.get(type).names;
  }

  /** Returns the members of a record by name, in order; those that are null aren't there. */
  public static Map<String, Object> members(Record of) {
    Map<String, Object> members = new LinkedHashMap<>();
    try {
      for (Method each : SHAPES.get(of.getClass()).getters) {
        Object value = plain(each.invoke(of));
        if (value != null) {
          members.put(each.getName(), value);
        }
      }
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
    return members;
  }

  /** Returns the values of a record's members, in order; null for those that are null. */
  public static List<@Nullable Object> values(Record of) {
    Map<String, Object> members = members(of);
    List<@Nullable Object> values = new ArrayList<>();
    names(of.getClass()).forEach(name -> values.add(members.get(name)));
    return values;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof OptionalLong maybe) {
      return maybe.isPresent() ? maybe.getAsLong() : null;
    }
    if (value instanceof OptionalInt maybe) {
      return maybe.isPresent() ? maybe.getAsInt() : null;
    }
    return value instanceof Optional<?> maybe ? maybe.orElse(null) : value;
  }

  /**
   * Makes a record.
   *
   * @param type the record; texts may be of any value, such as a constant, and records in it of
   *     others that have at least their members
   * @param members its members by name, and others; one that is missing becomes null
   */
  public static <R extends Record> R of(Class<R> type, Map<String, ?> members) {
    Shape shape = SHAPES.get(type);
    @Nullable Object[] values = new @Nullable Object[shape.names.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = converted(members.get(shape.names.get(i)), shape.types.get(i));
    }
    try {
      return type.cast(shape.constructor.newInstance(values));
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static @Nullable Object converted(@Nullable Object value, Type type) {
    if (value instanceof Record source
        && type instanceof Class<?> wanted
        && wanted.isRecord()
        && !wanted.isInstance(source)) {
      return copy(source, wanted.asSubclass(Record.class));
    }
    if (value instanceof List<?> items && type instanceof ParameterizedType list) {
      Type item = list.getActualTypeArguments()[0];
      return items.stream().map(each -> converted(each, item)).toList();
    }
    if (value instanceof Integer number && type == Long.class) {
      return number.longValue();
    }
    return type == String.class && value != null ? value.toString() : value;
  }

  /** Makes a record of one that has at least its members. */
  public static <R extends Record> R copy(Record source, Class<R> type) {
    return of(type, members(source));
  }

  public static <S extends Record, R extends Record> Function<S, R> to(Class<R> type) {
    return source -> copy(source, type);
  }

  public static <R extends Record> List<R> copies(List<? extends Record> sources, Class<R> type) {
    return sources.stream().map(to(type)).toList();
  }

  public static String camelCase(String column) {
    StringBuilder name = new StringBuilder(column.length());
    for (String word : column.split("_")) {
      boolean isFirst = name.isEmpty() || word.isEmpty();
      name.append(isFirst ? word : word.substring(0, 1).toUpperCase(Locale.ROOT));
      name.append(isFirst ? "" : word.substring(1));
    }
    return name.toString();
  }
}
