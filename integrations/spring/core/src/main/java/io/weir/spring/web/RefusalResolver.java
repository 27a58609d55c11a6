package io.weir.spring.web;

import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.adapter.Adapter;
import io.weir.adapter.Refusal;
import io.weir.servlet.ServletResponseWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Makes the response to the refusal of a limited call that a handler has made, before any exception
 * handler of the application could make another one. Counts a response that breaks off as a
 * failure, whatever exception handlers make of it: its status was sent before.
 *
 * <p>Safe for concurrent use.
 */
final class RefusalResolver implements HandlerExceptionResolver, PriorityOrdered {
  private final Supplier<Adapter> adapter;

  /** Takes what finds the adapter for requests that haven't passed the filter. */
  RefusalResolver(Supplier<Adapter> adapter) {
    this.adapter = adapter;
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception thrown) {
    @Nullable RuntimeException refused = Refusal.thrownIn(thrown).orElse(null);
    if (refused == null) {
      failIfBroken(request, response);
      return null;
    }
    if (MvcRequest.isPart(request)) {
      throw refused; // the whole request is refused, by the handler that includes this one
    }
    if (failIfBroken(request, response)) {
      return null;
    }
    return answer(request, response, refused);
  }

  private static boolean failIfBroken(HttpServletRequest request, HttpServletResponse response) {
    boolean broken = response.isCommitted();
    @Nullable MvcRequest limited = broken ? MvcRequest.of(request) : null;
    if (limited != null) {
      limited.failed(response);
    }
    return broken;
  }

  private @Nullable ModelAndView answer(
      HttpServletRequest request, HttpServletResponse response, RuntimeException refused) {
    @Nullable MvcRequest limited = MvcRequest.of(request);
    try {
      if (limited == null) {
        ServletResponseWriter.send(refusal(refused, request), request, response);
        return new ModelAndView();
      }
      Optional<Refusal> refusal = limited.limitedRequest().refusalIn(refused);
      if (refusal.isEmpty()) {
        return null;
      }
      limited.refuse(refusal.get(), request, response);
    } catch (IOException callerIsGone) {
      // Nobody reads the response.
    }
    return new ModelAndView();
  }

  private Refusal refusal(RuntimeException refused, HttpServletRequest request) {
    return refused instanceof RateLimitExceededException exceeded
        ? adapter.get().refusal(exceeded, name -> Collections.list(request.getHeaders(name)))
        : adapter.get().refusal((InvalidRequestException) refused);
  }
}
