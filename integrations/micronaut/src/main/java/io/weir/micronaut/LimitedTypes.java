package io.weir.micronaut;

import io.weir.annotation.Unlimited;
import io.weir.internal.container.AnnotatedLimits;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;

/** Finds the methods of a class that carry a limit, or have that of their class. */
final class LimitedTypes {
  private LimitedTypes() {}

  /** Returns the methods that run in objects of a class; none if it can't be read. */
  static Set<Method> limitedMethods(Class<?> type) {
    Set<Method> limited = new LinkedHashSet<>();
    try {
      Set<Class<?>> family = family(type);
      boolean byClass = family.stream().anyMatch(AnnotatedLimits::areOn);
      for (Class<?> each : family) {
        for (Method method : each.getDeclaredMethods()) {
          if (!method.isSynthetic()
              && (AnnotatedLimits.areOn(method) || byClass && isOfClass(method))) {
            limited.add(running(type, method));
          }
        }
      }
    } catch (LinkageError | TypeNotPresentException unreadable) {
      return Set.of(); // types that its methods name are missing
    }
    return limited;
  }

  /** Returns whether the limit of its class applies to a method without one of its own. */
  private static boolean isOfClass(Method method) {
    int modifiers = method.getModifiers();
    return Modifier.isPublic(modifiers)
        && !Modifier.isStatic(modifiers)
        && !method.isAnnotationPresent(Unlimited.class);
  }

  /** Returns the method of the class that overrides or implements another. */
  private static Method running(Class<?> type, Method method) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      try {
        return each.getDeclaredMethod(method.getName(), method.getParameterTypes());
      } catch (NoSuchMethodException above) {
        // in a superclass, or only in an interface
      }
    }
    return method;
  }

  private static Set<Class<?>> family(Class<?> type) {
    Set<Class<?>> family = new LinkedHashSet<>();
    for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
      family.add(each);
      collect(each, family);
    }
    return family;
  }

  private static void collect(Class<?> from, Set<Class<?>> family) {
    for (Class<?> each : from.getInterfaces()) {
      if (family.add(each)) {
        collect(each, family);
      }
    }
  }
}
