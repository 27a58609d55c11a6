package io.weir.spring.server;

import io.weir.servlet.RateLimitFilter;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Finds adapters beside Spring's that read their policies when the server starts them, after all
 * checks. Stateless.
 */
final class LaterAdapters {
  private static final String JERSEY = "org.glassfish.jersey.server.ResourceConfig";

  private LaterAdapters() {}

  static boolean areIn(ApplicationContext context) {
    return hasJersey(context)
        || ClassUtils.isPresent("jakarta.servlet.Filter", context.getClassLoader())
            && Servlets.haveFilter(context);
  }

  private static boolean hasJersey(ApplicationContext context) {
    @Nullable ClassLoader loader = context.getClassLoader();
    return ClassUtils.isPresent(JERSEY, loader)
        && context.getBeanNamesForType(ClassUtils.resolveClassName(JERSEY, loader)).length > 0;
  }

  /** Loaded only if the servlet API is on the class path. */
  private static final class Servlets {
    private Servlets() {}

    static boolean haveFilter(ApplicationContext context) {
      return context.getBeanNamesForType(RateLimitFilter.class).length > 0
          || context.getBeanProvider(FilterRegistrationBean.class).stream()
              .anyMatch(each -> each.getFilter() instanceof RateLimitFilter);
    }
  }
}
