package io.weir.spring.web;

import io.weir.adapter.Refusal;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.AsyncHandlerInterceptor;

/**
 * Decides each handler right before it runs: the policies by user, and all policies that the filter
 * couldn't decide, since it saw another handler, method or path, or didn't see the request at all.
 * Then it begins the request, and ends it after the handler.
 *
 * <p>Lets pass an error page itself, not what that dispatches to; the answer of an asynchronous
 * handler that has run; and applications without a filter of Weir, such as the management port.
 * Safe for concurrent use.
 */
final class RateLimitInterceptor implements AsyncHandlerInterceptor {
  private static final CallableBinding CALLABLES = new CallableBinding();

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    @Nullable MvcLimits limits = MvcLimits.in(request.getServletContext());
    @Nullable MvcRequest begun =
        limits == null ? MvcRequest.of(request) : MvcRequest.of(request, limits.endpoints());
    if (begun == null && limits == null || answersWhatHasRun(request)) {
      return true;
    }
    HandlerVisit visit = HandlerVisit.enter(begun, limits, handler, request);
    boolean entered = false;
    try {
      entered = enter(visit.limited(), handler, request, response);
    } finally {
      if (!entered) {
        HandlerVisit.leave(handler, request, response, false);
      }
    }
    return entered;
  }

  /** Returns whether Spring MVC is about to answer by a result, without calling the handler. */
  private static boolean answersWhatHasRun(HttpServletRequest request) {
    return request.getDispatcherType() == DispatcherType.ASYNC
        && WebAsyncUtils.getAsyncManager(request).hasConcurrentResult();
  }

  private static boolean enter(
      MvcRequest limited, Object handler, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    HandlerMatch match = limited.endpoints().of(handler, request);
    @Nullable ErrorPage page = ErrorPage.of(request);
    boolean free = page != null && page.reaches(request);
    boolean admitted =
        free
            || (MvcRequest.isPart(request)
                ? admitPart(limited, match, request, response)
                : admit(limited, match, request, response));
    if (!admitted) {
      return false;
    }
    limited.charged(match);
    if (!free && request.isAsyncSupported()) {
      WebAsyncUtils.getAsyncManager(request).registerCallableInterceptor(CALLABLES, CALLABLES);
    }
    return true;
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception failure) {
    HandlerVisit.leave(handler, request, response, failure != null);
  }

  @Override
  public void afterConcurrentHandlingStarted(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    HandlerVisit.leave(handler, request, response, false);
  }

  private static boolean admit(
      MvcRequest limited,
      HandlerMatch match,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    Optional<Refusal> refusal = limited.decideAtHandler(match, request);
    if (refusal.isPresent()) {
      limited.refuse(refusal.get(), request, response);
      return false;
    }
    limited.writeHeaders(response);
    return true;
  }

  /** If an include is refused, so is the whole request; unless its response is on its way. */
  private static boolean admitPart(
      MvcRequest limited,
      HandlerMatch match,
      HttpServletRequest request,
      HttpServletResponse response) {
    Optional<RuntimeException> refusal = limited.decidePart(match, request);
    if (refusal.isEmpty()) {
      return true;
    }
    if (response.isCommitted()) {
      return false;
    }
    throw refusal.get();
  }
}
