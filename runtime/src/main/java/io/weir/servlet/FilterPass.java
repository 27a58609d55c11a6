package io.weir.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * A filter that a request passes, linked to those that it has passed on the same dispatch.
 *
 * <p>Immutable.
 */
final class FilterPass {
  private final Object filter;
  private final DispatcherType type;
  private final String servlet;
  private final @Nullable FilterPass before;

  private FilterPass(
      Object filter, DispatcherType type, String servlet, @Nullable FilterPass before) {
    this.filter = filter;
    this.type = type;
    this.servlet = servlet;
    this.before = before;
  }

  /**
   * Starts with the first filter of a dispatch.
   *
   * @param filter identifies the filter
   */
  static FilterPass first(Object filter, HttpServletRequest request, DispatchTarget target) {
    return new FilterPass(filter, request.getDispatcherType(), target.servlet(), null);
  }

  /**
   * Adds the next filter: another one of the same dispatch, or the first of a new one. Each filter
   * is passed once on a dispatch, and only a dispatch leads to another servlet.
   */
  FilterPass next(Object nextFilter, HttpServletRequest request, DispatchTarget target) {
    DispatcherType nextType = request.getDispatcherType();
    boolean same =
        nextType == type
            && (nextType == DispatcherType.REQUEST
                || servlet.equals(target.servlet()) && !includes(nextFilter));
    return new FilterPass(nextFilter, nextType, target.servlet(), same ? this : null);
  }

  private boolean includes(Object other) {
    for (FilterPass each = this; each != null; each = each.before) {
      if (each.filter.equals(other)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether it is the first filter of its dispatch. */
  boolean isFirst() {
    return before == null;
  }
}
