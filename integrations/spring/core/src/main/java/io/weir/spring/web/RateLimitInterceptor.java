package io.weir.spring.web;

import io.weir.adapter.Refusal;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Decides the policies by user right before a handler, and all policies of handlers that the filter
 * couldn't find: those of forwards and includes, and of requests that other filters have changed.
 *
 * <p>Does nothing for requests that haven't passed the filter, such as those to the management
 * port. Safe for concurrent use.
 */
final class RateLimitInterceptor implements HandlerInterceptor {
  private static final CallableBinding CALLABLES = new CallableBinding();

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    @Nullable MvcRequest limited = MvcRequest.of(request);
    DispatcherType type = request.getDispatcherType();
    if (limited == null || type == DispatcherType.ERROR) {
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
