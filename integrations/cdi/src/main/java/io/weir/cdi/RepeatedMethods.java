package io.weir.cdi;

import io.weir.internal.container.HandlerClass;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.enterprise.lang.model.declarations.MethodInfo;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/**
 * Recognizes public methods of a class that isn't public, which the compiler has repeated in a
 * public subclass, so that they can be called by reflection. The language model leaves such a
 * method out, and Weld intercepts neither it nor the one that it calls.
 */
final class RepeatedMethods {
  private RepeatedMethods() {}

  /**
   * Returns whether a method is repeated in a class between the one that declares it and a bean's.
   */
  static boolean isRepeated(MethodInfo method, LimitedClass bean) {
    return !Modifier.isPublic(method.declaringClass().modifiers())
        && bean.ancestors().stream()
            .takeWhile(each -> !each.name().equals(method.declaringClass().name()))
            .anyMatch(each -> repeats(each, method));
  }

  private static boolean repeats(ClassInfo type, MethodInfo method) {
    try {
      Class<?> loaded =
          Class.forName(type.name(), false, Thread.currentThread().getContextClassLoader());
      return Arrays.stream(HandlerClass.methods(loaded))
          .anyMatch(each -> each.isBridge() && isSame(each, method));
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }

  private static boolean isSame(Method one, MethodInfo other) {
    return Erasure.of(one).equals(Erasure.of(other))
        && one.getReturnType().getTypeName().equals(Erasure.of(other.returnType()));
  }
}
