package io.weir.cdi;

import jakarta.enterprise.lang.model.declarations.MethodInfo;
import jakarta.enterprise.lang.model.types.Type;
import jakarta.enterprise.lang.model.types.TypeVariable;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Writes types as the virtual machine sees them, alike for the language model and reflection. */
final class Erasure {
  private Erasure() {}

  /** Writes a type, {@code java.util.List} or {@code byte[]}. */
  static String of(Type type) {
    return switch (type.kind()) {
      case VOID -> type.asVoid().name();
      case PRIMITIVE -> type.asPrimitive().name();
      case CLASS -> type.asClass().declaration().name();
      case PARAMETERIZED_TYPE -> type.asParameterizedType().declaration().name();
      case ARRAY -> of(type.asArray().componentType()) + "[]";
      case TYPE_VARIABLE -> ofBound(type.asTypeVariable());
      case WILDCARD_TYPE -> Object.class.getName();
    };
  }

  private static String ofBound(TypeVariable variable) {
    List<Type> bounds = variable.bounds();
    return bounds.isEmpty() ? Object.class.getName() : of(bounds.get(0));
  }

  /** Writes a method by its name and parameters, {@code send(java.lang.String)}. */
  static String of(MethodInfo method) {
    return method.parameters().stream()
        .map(each -> of(each.type()))
        .collect(Collectors.joining(",", method.name() + "(", ")"));
  }

  /** Writes a method of a loaded class in the same way. */
  static String of(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getTypeName)
        .collect(Collectors.joining(",", method.getName() + "(", ")"));
  }
}
