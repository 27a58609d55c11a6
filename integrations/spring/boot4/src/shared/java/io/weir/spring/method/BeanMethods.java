package io.weir.spring.method;

import java.lang.reflect.Method;
import java.util.Arrays;

/** Finds methods of test beans by their names. */
final class BeanMethods {
  private BeanMethods() {}

  static Method of(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(each -> each.getName().equals(name) && !each.isSynthetic())
        .findFirst()
        .orElseThrow();
  }
}
