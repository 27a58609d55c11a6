package io.weir.servlet;

import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import io.weir.internal.container.HandlerClass;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Finds out whether a servlet carries limits, without reading or validating them. */
final class LimitAnnotations {
  private LimitAnnotations() {}

  /**
   * Returns whether only a filter can limit the servlet: it carries limits on its class, or on a
   * method that isn't woven.
   */
  static boolean needFilter(Class<?> servlet) {
    return ServletMethodFinder.lineage(servlet).anyMatch(LimitAnnotations::areIn);
  }

  private static boolean areIn(Class<?> type) {
    return areOn(type, new HashSet<>())
        || Arrays.stream(type.getInterfaces()).anyMatch(LimitAnnotations::areIn)
        || Arrays.stream(ServletMethodFinder.declared(type))
            .filter(ServletMethodFinder::answers)
            .anyMatch(each -> areOn(each, new HashSet<>()) && !HandlerClass.isWoven(each));
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
