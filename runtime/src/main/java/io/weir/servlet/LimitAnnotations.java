package io.weir.servlet;

import io.weir.internal.container.AnnotatedLimits;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Finds out whether a servlet carries limits, without reading or validating them. */
final class LimitAnnotations {
  /** AspectJ moves the body of a method that it advises to one whose name contains this. */
  private static final String WOVEN = "_aroundBody";

  private LimitAnnotations() {}

  /**
   * Returns whether only a filter can limit the servlet: it carries limits on its class, or on a
   * method that isn't woven.
   */
  static boolean needFilter(Class<?> servlet) {
    return ServletMethodFinder.lineage(servlet).anyMatch(LimitAnnotations::areIn);
  }

  private static boolean areIn(Class<?> type) {
    return AnnotatedLimits.areOn(type)
        || Arrays.stream(type.getInterfaces()).anyMatch(LimitAnnotations::areIn)
        || Arrays.stream(ServletMethodFinder.declared(type))
            .filter(ServletMethodFinder::answers)
            .anyMatch(each -> AnnotatedLimits.areOn(each) && !isWoven(each));
  }

  private static boolean isWoven(Method method) {
    return Arrays.stream(ServletMethodFinder.declared(method.getDeclaringClass()))
        .anyMatch(each -> each.getName().startsWith(method.getName() + WOVEN));
  }
}
