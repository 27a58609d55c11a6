package io.weir.servlet;

import io.weir.internal.container.AnnotatedLimits;
import io.weir.internal.container.HandlerClass;
import java.util.Arrays;

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
    return AnnotatedLimits.areOn(type)
        || Arrays.stream(type.getInterfaces()).anyMatch(LimitAnnotations::areIn)
        || Arrays.stream(HandlerClass.methods(type))
            .filter(ServletMethodFinder::answers)
            .anyMatch(each -> AnnotatedLimits.areOn(each) && !HandlerClass.isWoven(each));
  }
}
