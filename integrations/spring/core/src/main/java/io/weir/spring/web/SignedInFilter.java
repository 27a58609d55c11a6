package io.weir.spring.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/**
 * Shows a request to limited methods that a servlet calls as the filters before it have left it,
 * with the user that one of them has signed in. Prepares it for policies at its handler that read
 * the body.
 *
 * <p>Safe for concurrent use.
 */
final class SignedInFilter implements Filter {
  /** Returns the dispatches that lead to a servlet which may not have been reached before. */
  static EnumSet<DispatcherType> dispatcherTypes() {
    return EnumSet.of(DispatcherType.REQUEST, DispatcherType.FORWARD);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    @Nullable MvcRequest limited =
        request instanceof HttpServletRequest http ? MvcRequest.of(http) : null;
    if (limited == null) {
      chain.doFilter(request, response);
    } else {
      HttpServletRequest http = limited.unreadLater((HttpServletRequest) request);
      limited.seenBehindFilters(http);
      chain.doFilter(http, response);
    }
  }
}
