package io.weir.spring.method;

import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;

/**
 * Lists the methods of a bean's class that limits may apply to, as the class declares or inherits
 * them. Weir itself decides which policies they have; here is every method that may have one.
 *
 * <p>Immutable.
 *
 * @param annotated the methods that carry a limit, or inherit one from a method that they override
 *     or implement
 * @param ofClass the methods that the limit of their class applies to
 */
record LimitedClass(Set<Method> annotated, Set<Method> ofClass) {
  static final LimitedClass NONE = new LimitedClass(Set.of(), Set.of());

  LimitedClass {
    annotated = Set.copyOf(annotated);
    ofClass = Set.copyOf(ofClass);
  }

  boolean isEmpty() {
    return annotated.isEmpty() && ofClass.isEmpty();
  }

  boolean limits(Method method) {
    return annotated.contains(method) || ofClass.contains(method);
  }

  /** Returns the methods with a limit of their own or of their class. */
  Set<Method> methods() {
    Set<Method> all = new HashSet<>(annotated);
    all.addAll(ofClass);
    return all;
  }
}
