package io.weir.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Warns at the start of an application of servlets that no rate limit filter is mapped to. A
 * filter, since servers initialize filters once all filters and servlets are registered, and don't
 * show them to listeners that code has added. It is mapped to no path and sees no requests.
 */
final class StartCheck implements Filter {
  private static final System.Logger LOG = System.getLogger(StartCheck.class.getName());

  private final Class<? extends Filter> filter;

  private StartCheck(Class<? extends Filter> filter) {
    this.filter = filter;
  }

  static void register(ServletContext context, Class<? extends Filter> filter) {
    context.addFilter(StartCheck.class.getName(), new StartCheck(filter));
  }

  @Override
  public void init(FilterConfig config) {
    ServletContext context = config.getServletContext();
    @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    ServletClassLoaders classes =
        new ServletClassLoaders(List.of(Optional.ofNullable(loader)), context);
    UnmappedServletsWarning.find(context, filter, classes).ifPresent(each -> each.log(LOG));
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(request, response);
  }
}
