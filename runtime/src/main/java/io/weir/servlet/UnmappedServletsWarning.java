package io.weir.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Warns of servlets with annotations that no rate limit filter is mapped to, so that nothing limits
 * requests to them.
 */
final class UnmappedServletsWarning {
  /** Filters that may call a rate limit filter which isn't registered itself. */
  private static final Set<String> DELEGATING =
      Set.of(
          "org.springframework.web.filter.DelegatingFilterProxy",
          "com.google.inject.servlet.GuiceFilter");

  private final Set<String> servlets;
  private final Class<? extends Filter> filter;

  private UnmappedServletsWarning(Set<String> servlets, Class<? extends Filter> filter) {
    this.servlets = servlets;
    this.filter = filter;
  }

  /**
   * Finds out what to warn of, once all filters and servlets are registered; empty if each servlet
   * with annotations has a filter, or may have one that isn't registered itself.
   */
  static Optional<UnmappedServletsWarning> find(
      ServletContext context, Class<? extends Filter> filter, ServletClassLoaders classes) {
    if (mayDelegate(context)) {
      return Optional.empty();
    }
    List<? extends FilterRegistration> filters = RegisteredFilters.of(filter, context);
    Set<String> names = new TreeSet<>();
    for (ServletRegistration each : context.getServletRegistrations().values()) {
      if (needsFilter(each, classes)
          && filters.stream().noneMatch(met -> ServletsWithoutUserFilter.isMapped(met, each))) {
        names.add(each.getName());
      }
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(new UnmappedServletsWarning(names, filter));
  }

  private static boolean mayDelegate(ServletContext context) {
    return context.getFilterRegistrations().values().stream()
        .anyMatch(each -> DELEGATING.contains(String.valueOf(each.getClassName())));
  }

  private static boolean needsFilter(ServletRegistration servlet, ServletClassLoaders classes) {
    String name = servlet.getClassName();
    if (name == null || ServletEndpoints.runsJaxrs(servlet) || servlet.getMappings().isEmpty()) {
      return false;
    }
    try {
      return LimitAnnotations.needFilter(classes.find(name));
    } catch (ClassNotFoundException unreadable) {
      return false;
    }
  }

  void log(System.Logger log) {
    log.log(
        System.Logger.Level.ERROR,
        "The servlets "
            + servlets
            + " have annotations of Weir, but requests to them aren't limited: no "
            + filter.getName()
            + " is mapped to them. Map one to /* for the dispatches REQUEST, FORWARD, INCLUDE,"
            + " ASYNC and ERROR, in web.xml or with ServletContext.addFilter");
  }
}
