package io.weir.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * A filter that a request passes, with all that is known of the request there, linked to the pass
 * before it. One object for each filter, since nearly every request has one.
 *
 * @param filter identifies the filter
 * @param response a response whose status can be set; null within an include that came first
 * @param from where the request is back when the filter returns; null for its start
 * @param continues whether the same dispatch has passed the filter before it
 * @param isIncluded whether an include writes only a part of the response there
 * @param isError whether it is an error page, or was dispatched to by one
 */
record FilterPass(
    Object filter,
    DispatchTarget target,
    ServletEndpoints.Endpoint endpoint,
    HttpServletRequest request,
    @Nullable HttpServletResponse response,
    @Nullable FilterPass from,
    DispatcherType type,
    boolean continues,
    boolean isIncluded,
    boolean isError) {
  static FilterPass first(
      Object filter,
      DispatchTarget target,
      ServletEndpoints.Endpoint endpoint,
      HttpServletRequest request,
      HttpServletResponse response,
      boolean included) {
    return new FilterPass(
        filter,
        target,
        endpoint,
        request,
        included ? null : response,
        null,
        request.getDispatcherType(),
        true,
        included,
        false);
  }

  /** Returns the start of the request whose first filter this is: no filter was passed there. */
  FilterPass start() {
    return new FilterPass(
        FilterPass.class, target, endpoint, request, null, null, type, false, false, false);
  }

  /**
   * Passes the next filter: another one of the same dispatch, or the first of a new one. Each
   * filter is passed once on a dispatch, and only a dispatch leads to another servlet.
   */
  FilterPass next(
      Object nextFilter,
      DispatchTarget nextTarget,
      ServletEndpoints.Endpoint nextEndpoint,
      HttpServletRequest nextRequest,
      HttpServletResponse nextResponse,
      boolean nextIsIncluded) {
    DispatcherType nextType = nextRequest.getDispatcherType();
    boolean same =
        nextType == type
            && (nextType == DispatcherType.REQUEST
                || target.servlet().equals(nextTarget.servlet()) && !includes(nextFilter));
    return new FilterPass(
        nextFilter,
        nextTarget,
        nextEndpoint,
        nextRequest,
        nextIsIncluded ? response : nextResponse,
        this,
        nextType,
        same,
        nextIsIncluded,
        isError);
  }

  /** Arrives at an error page, whose dispatch passes no filter before it. */
  FilterPass errorPage(
      DispatchTarget page, HttpServletRequest pageRequest, HttpServletResponse pageResponse) {
    return new FilterPass(
        FilterPass.class,
        page,
        endpoint,
        pageRequest,
        pageResponse,
        this,
        pageRequest.getDispatcherType(),
        false,
        false,
        true);
  }

  private boolean includes(Object other) {
    FilterPass each = this;
    while (each != null) {
      if (each.filter.equals(other)) {
        return true;
      }
      each = each.continues ? each.from : null;
    }
    return false;
  }

  /** Returns whether it is the first filter of a dispatch that other code has begun. */
  boolean isFirstOfDispatch() {
    return !continues;
  }
}
