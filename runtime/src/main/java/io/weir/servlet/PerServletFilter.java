package io.weir.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Limits one servlet right before it, after all filters that are mapped by URL. The request of a
 * dispatch by name doesn't show its target, and containers differ in whether it passes filters
 * mapped by URL. But it always passes a filter that is mapped to the servlet's name, and that
 * filter knows the servlet. It also sees the HTTP method that the servlet will see.
 *
 * <p>Does nothing in an application that has no {@link RateLimitFilter}. Safe for concurrent use.
 */
final class PerServletFilter implements Filter {
  private static final String NAME = PerServletFilter.class.getName() + ": ";

  private final String servlet;

  private PerServletFilter(String servlet) {
    this.servlet = servlet;
  }

  /** Adds a filter before each servlet registered so far. */
  static void register(ServletContext context) {
    for (String servlet : context.getServletRegistrations().keySet()) {
      FilterRegistration.@Nullable Dynamic added =
          context.addFilter(NAME + servlet, new PerServletFilter(servlet));
      if (added != null) {
        added.setAsyncSupported(true);
        added.addMappingForServletNames(EnumSet.allOf(DispatcherType.class), true, servlet);
      }
    }
  }

  /** Returns the names of the servlets that have such a filter. */
  static Set<String> servlets(ServletContext context) {
    Set<String> servlets = new TreeSet<>();
    for (FilterRegistration each : RegisteredFilters.of(PerServletFilter.class, context)) {
      servlets.addAll(each.getServletNameMappings());
    }
    return servlets;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<RequestLimiter> limiter = RequestLimiter.in(request.getServletContext());
    if (limiter.isPresent()
        && request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer) {
      limiter.get().filterBeforeServlet(servlet, http, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }
}
