package io.weir.servlet;

import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the servlets that a filter before the sign-in is mapped to and no filter after it: policies
 * by user would never be decided there.
 *
 * <p>Servlets with a {@link PerServletFilter} aren't among them, nor servlets that run JAX-RS,
 * where the feature decides.
 */
final class ServletsWithoutUserFilter {
  private final FilterRegistration before;
  private final Collection<? extends FilterRegistration> after;

  private ServletsWithoutUserFilter(
      FilterRegistration before, Collection<? extends FilterRegistration> after) {
    this.before = before;
    this.after = after;
  }

  static Set<String> find(
      ServletContext context,
      FilterRegistration before,
      Collection<? extends FilterRegistration> after) {
    ServletsWithoutUserFilter undecided = new ServletsWithoutUserFilter(before, after);
    Set<String> decided = PerServletFilter.servlets(context);
    Set<String> names = new TreeSet<>();
    for (ServletRegistration each : context.getServletRegistrations().values()) {
      boolean isDecided = decided.contains(each.getName()) || ServletEndpoints.runsJaxrs(each);
      if (!isDecided && undecided.contains(each)) {
        names.add(each.getName());
      }
    }
    return names;
  }

  private boolean contains(ServletRegistration servlet) {
    if (after.stream().anyMatch(each -> isNamed(each, servlet))) {
      return false;
    }
    return servlet.getMappings().stream().anyMatch(each -> isUndecided(servlet, each));
  }

  private static boolean isNamed(FilterRegistration filter, ServletRegistration servlet) {
    return filter.getServletNameMappings().contains(servlet.getName());
  }

  /** Returns whether some requests to a servlet pass a filter. */
  static boolean isMapped(FilterRegistration filter, ServletRegistration servlet) {
    return isNamed(filter, servlet)
        || filter.getUrlPatternMappings().stream()
            .anyMatch(met -> servlet.getMappings().stream().anyMatch(each -> overlap(met, each)));
  }

  private boolean isUndecided(ServletRegistration servlet, String mapping) {
    Collection<String> first =
        isNamed(before, servlet) ? List.of(mapping) : before.getUrlPatternMappings();
    List<String> rest =
        after.stream().flatMap(each -> each.getUrlPatternMappings().stream()).toList();
    return isUndecided(first, rest, mapping);
  }

  /**
   * Returns whether some requests to a servlet pass only the filter before the sign-in.
   *
   * @param first the URL patterns of that filter
   * @param rest the URL patterns of the filters after the sign-in
   * @param mapping a URL pattern of the servlet
   */
  static boolean isUndecided(Collection<String> first, Collection<String> rest, String mapping) {
    return first.stream()
        .filter(met -> overlap(met, mapping))
        .anyMatch(
            met -> rest.stream().noneMatch(each -> covers(each, met) || covers(each, mapping)));
  }

  /** Returns whether every path that matches a pattern of a filter or servlet matches another. */
  private static boolean covers(String wider, String pattern) {
    if (wider.equals("/*") || wider.equals(pattern)) {
      return true;
    }
    if (isExtension(wider)) {
      return !isExtension(pattern) && !isPrefix(pattern) && pattern.endsWith(wider.substring(1));
    }
    return isPrefix(wider)
        && !isExtension(pattern)
        && (base(pattern) + "/").startsWith(base(wider) + "/");
  }

  private static boolean overlap(String filter, String servlet) {
    return servlet.equals("/")
        || covers(filter, servlet)
        || covers(servlet, filter)
        || isExtension(filter) && isPrefix(servlet)
        || isPrefix(filter) && isExtension(servlet);
  }

  private static boolean isPrefix(String pattern) {
    return pattern.endsWith("/*");
  }

  private static boolean isExtension(String pattern) {
    return pattern.startsWith("*.");
  }

  private static String base(String pattern) {
    return isPrefix(pattern) ? pattern.substring(0, pattern.length() - 2) : pattern;
  }
}
