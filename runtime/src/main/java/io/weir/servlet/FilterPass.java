package io.weir.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * A filter that a request passes on a dispatch, and those that it has passed on the same one.
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
   * The first filter of a dispatch.
   *
   * @param filter tells it from other filters
   */
  static FilterPass first(Object filter, HttpServletRequest request, DispatchTarget target) {
    return new FilterPass(filter, request.getDispatcherType(), target.servlet(), null);
  }

  /**
   * The next filter: one more on the same dispatch, or the first of another one. A filter is passed
   * once on each, and only a dispatch leads to another servlet.
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

  /** Whether no filter was passed on the same dispatch before. */
  boolean isFirst() {
    return before == null;
  }
}
