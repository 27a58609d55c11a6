package io.weir.internal.guard;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes that a method was charged and is about to run, so that no layer charges this execution
 * again. A binding inherits it, since most requests have one.
 *
 * <p>Used by one thread at a time.
 */
class Charge {
  /** The method that was charged; null if none was, or its execution is over. */
  private @Nullable Method charged;

  /** The layers that have seen the execution; each sees it once. */
  private List<Object> layers = List.of();

  Charge(@Nullable Method charged) {
    this.charged = charged;
  }

  /** Notes another execution in place of the one before. */
  final void note(Method method) {
    charged = method;
    layers = List.of();
  }

  /** Notes the layer that has charged the execution itself. */
  final void takenBy(Object layer) {
    layers = List.of(layer);
  }

  /**
   * Returns whether a method was charged.
   *
   * @param method its declarations: the one that runs, then those that it overrides or implements
   */
  final boolean isOf(List<Method> method) {
    Method before = charged;
    return before != null && (areOne(before, method.get(0)) || method.contains(before));
  }

  /**
   * Takes the charge for a layer that sees the method that was charged.
   *
   * @return true once for each layer: the second time is another execution, which its own layers
   *     see
   */
  final boolean take(Object layer) {
    if (layers.contains(layer)) {
      charged = null;
      return false;
    }
    layers = layers.isEmpty() ? List.of(layer) : and(layer);
    return true;
  }

  private List<Object> and(Object layer) {
    List<Object> all = new ArrayList<>(layers);
    all.add(layer);
    return List.copyOf(all);
  }

  /** Compares methods, of which one may override the other. */
  private static boolean areOne(Method one, Method other) {
    Class<?> first = one.getDeclaringClass();
    Class<?> second = other.getDeclaringClass();
    return one.getName().equals(other.getName())
        && (first.isAssignableFrom(second) || second.isAssignableFrom(first))
        && Arrays.equals(one.getParameterTypes(), other.getParameterTypes());
  }
}
