package io.weir.spring.web;

import io.weir.adapter.LimitedRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The time from the interceptor until a handler has returned, with all that began there and ends
 * there: nothing for most requests, since the filter has begun and bound them.
 *
 * @param begins whether the request began here
 * @param binding the binding of this thread, if it was bound here
 * @param before the binding before it
 * @param page the error page, if it was recognized here
 * @param around the visit of a handler that has dispatched to this one
 */
record HandlerVisit(
    Object handler,
    MvcRequest limited,
    boolean begins,
    LimitedRequest.@Nullable Binding binding,
    LimitedRequest.@Nullable Binding before,
    @Nullable ErrorPage page,
    @Nullable HandlerVisit around) {
  private static final String ATTRIBUTE = HandlerVisit.class.getName();

  /**
   * Enters a handler. Begins the request if nothing has, and binds it to this thread.
   *
   * @param begun null if the request hasn't passed the filter
   * @param limits those of the application; not null if nothing has begun
   */
  static HandlerVisit enter(
      @Nullable MvcRequest begun,
      @Nullable MvcLimits limits,
      Object handler,
      HttpServletRequest request) {
    @Nullable ErrorPage page = ErrorPage.isNext(request) ? ErrorPage.open(request, true) : null;
    MvcRequest limited =
        begun != null ? begun : begin(Objects.requireNonNull(limits).endpoints(), request);
    boolean binds = !limited.isBound();
    LimitedRequest.@Nullable Binding before = limited.binding();
    HandlerVisit visit =
        new HandlerVisit(
            handler,
            limited,
            begun == null,
            binds ? limited.bind() : null,
            before,
            page,
            (HandlerVisit) request.getAttribute(ATTRIBUTE));
    if (binds || page != null) {
      request.setAttribute(ATTRIBUTE, visit);
    }
    return visit;
  }

  private static MvcRequest begin(MvcEndpoints endpoints, HttpServletRequest request) {
    return MvcRequest.begin(endpoints, request, endpoints.unlimited());
  }

  /** Leaves a handler, which may go on asynchronously. */
  static void leave(
      Object handler, HttpServletRequest request, HttpServletResponse response, boolean failed) {
    if (request.getAttribute(ATTRIBUTE) instanceof HandlerVisit visit && visit.handler == handler) {
      if (visit.around == null) {
        request.removeAttribute(ATTRIBUTE);
      } else {
        request.setAttribute(ATTRIBUTE, visit.around);
      }
      visit.end(request, response, failed);
    }
  }

  private void end(HttpServletRequest request, HttpServletResponse response, boolean failed) {
    if (page != null) {
      page.close(request);
    }
    if (binding != null) {
      limited.unbind(binding, before);
    }
    if (begins) {
      if (failed) {
        limited.failed(response);
      }
      limited.end(request, response);
    }
  }
}
