package io.weir.micronaut;

import java.lang.reflect.Method;

/**
 * Finds classes and methods as they are written, behind the subclasses that Micronaut generates.
 */
final class WrittenTypes {
  private static final String GENERATED = "$Intercepted";

  private WrittenTypes() {}

  static Class<?> of(Class<?> type) {
    Class<?> written = type;
    while (written.getName().endsWith(GENERATED)) {
      written = written.getSuperclass();
    }
    return written;
  }

  static Method of(Method method) {
    Class<?> declaring = method.getDeclaringClass();
    Class<?> written = of(declaring);
    if (written == declaring) {
      return method;
    }
    for (Class<?> each = written; each != null; each = each.getSuperclass()) {
      try {
        return each.getDeclaredMethod(method.getName(), method.getParameterTypes());
      } catch (NoSuchMethodException inherited) {
        // of a class above
      }
    }
    return method;
  }
}
