package io.weir.spring.web;

import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.AsyncHandlerInterceptor;

/**
 * Decides the policies by user right before a handler, and all policies of handlers that the filter
 * couldn't find: those of forwards and includes, and of requests that other filters have changed.
 *
 * <p>Does nothing for requests that haven't passed the filter, such as those to the management
 * port. Safe for concurrent use.
 */
final class RateLimitInterceptor implements AsyncHandlerInterceptor {
  private static final CallableBinding CALLABLES = new CallableBinding();
  private static final String ERROR_PAGE = RateLimitInterceptor.class.getName() + ".errorPage";

  /** An error page that is outside of the filter of Weir, with its binding. */
  private record ErrorPage(Object handler, LimitedRequest.Binding binding) {}

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    @Nullable MvcRequest limited = MvcRequest.of(request);
    DispatcherType type = request.getDispatcherType();
    if (limited == null) {
      return true;
    }
    if (isErrorPage(request)) {
      enterErrorPage(limited, handler, request);
      return true;
    }
    HandlerMatch match = limited.endpoints().of(handler, request);
    if (type != DispatcherType.ASYNC || !limited.isAt(match)) {
      boolean admitted =
          MvcRequest.isPart(request)
              ? admitPart(limited, match, request, response)
              : admit(limited, match, request, response);
      if (!admitted) {
        return false;
      }
      limited.charged(match);
    }
    if (request.isAsyncSupported()) {
      WebAsyncUtils.getAsyncManager(request).registerCallableInterceptor(CALLABLES, CALLABLES);
    }
    return true;
  }

  /** In a deployed archive, a filter of Spring Boot forwards to error pages. */
  private static boolean isErrorPage(HttpServletRequest request) {
    DispatcherType type = request.getDispatcherType();
    return type == DispatcherType.ERROR
        || type == DispatcherType.FORWARD
            && request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) != null;
  }

  /** An error page costs nothing, neither here nor at a proxy of its controller. */
  private static void enterErrorPage(
      MvcRequest limited, Object handler, HttpServletRequest request) {
    if (limited.binding() == null) {
      request.setAttribute(ERROR_PAGE, new ErrorPage(handler, limited.bind()));
    }
    limited.charged(limited.endpoints().of(handler, request));
  }

  private static void leaveErrorPage(Object handler, HttpServletRequest request) {
    if (request.getAttribute(ERROR_PAGE) instanceof ErrorPage page && page.handler == handler) {
      request.removeAttribute(ERROR_PAGE);
      @Nullable MvcRequest limited = MvcRequest.of(request);
      if (limited != null) {
        limited.unbind(page.binding, null);
      }
    }
  }

  @Override
  public void afterCompletion(
      HttpServletRequest request,
      HttpServletResponse response,
      Object handler,
      @Nullable Exception failure) {
    leaveErrorPage(handler, request);
  }

  @Override
  public void afterConcurrentHandlingStarted(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    leaveErrorPage(handler, request);
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
