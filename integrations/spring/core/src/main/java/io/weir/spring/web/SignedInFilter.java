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
 * with the user that one of them has signed in.
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
    if (request instanceof HttpServletRequest http) {
      @Nullable MvcRequest limited = MvcRequest.of(http);
      if (limited != null) {
        limited.seenBehindFilters(http);
      }
    }
    chain.doFilter(request, response);
  }
}
