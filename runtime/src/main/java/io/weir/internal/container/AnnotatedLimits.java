package io.weir.internal.container;

import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds out whether a class or method carries limits, without reading or validating them: for
 * warnings of limits that have no effect.
 */
public final class AnnotatedLimits {
  private AnnotatedLimits() {}

  /**
   * Returns whether an element carries limits itself, also by an annotation that is composed of
   * them.
   *
   * @param element a class or method; what it inherits doesn't count
   * @return false also for an element that is only exempted
   */
  public static boolean areOn(AnnotatedElement element) {
    return areOn(element, new HashSet<>());
  }

  private static boolean areOn(AnnotatedElement element, Set<Class<?>> seen) {
    for (Annotation each : element.getDeclaredAnnotations()) {
      boolean limit = each instanceof RateLimit || each instanceof RateLimits;
      if (limit || seen.add(each.annotationType()) && areOn(each.annotationType(), seen)) {
        return true;
      }
    }
    return false;
  }
}
