package io.weir.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Warns if dispatches can reach limited servlets without passing a filter of Weir.
 *
 * <p>A {@link FilterRegistration} lists the URLs and servlets that a filter is mapped to, but not
 * the kinds of dispatch. So web.xml is read; the mappings that code adds stay unknown. Servlets
 * with a {@link PerServletFilter} need no mapping for dispatches.
 */
final class UnmappedDispatchWarning {
  private static final Set<DispatcherType> NEEDED =
      EnumSet.of(DispatcherType.FORWARD, DispatcherType.INCLUDE, DispatcherType.ASYNC);

  private final System.Logger.Level level;
  private final String message;

  private UnmappedDispatchWarning(System.Logger.Level level, String message) {
    this.level = level;
    this.message = message;
  }

  /** Finds out what to warn of; empty if all dispatches pass a filter. */
  static Optional<UnmappedDispatchWarning> find(
      ServletContext context, FilterParameters filters, ServletEndpoints endpoints) {
    Set<String> servlets = new TreeSet<>(endpoints.limited());
    servlets.removeAll(PerServletFilter.servlets(context));
    if (servlets.isEmpty()) {
      return Optional.empty();
    }
    Optional<Set<DispatcherType>> mapped =
        WebXml.mappings(context).flatMap(each -> mapped(filters.afterSignIn(), each));
    if (mapped.isEmpty()) {
      return Optional.of(unknown(servlets));
    }
    Set<DispatcherType> missing = EnumSet.copyOf(NEEDED);
    missing.removeAll(mapped.get());
    return missing.isEmpty() ? Optional.empty() : Optional.of(missing(missing, servlets));
  }

  private static UnmappedDispatchWarning unknown(Set<String> servlets) {
    return new UnmappedDispatchWarning(
        System.Logger.Level.INFO,
        "The limits of the servlets "
            + servlets
            + " apply to forwards, includes and asynchronous dispatches only if RateLimitFilter is"
            + " mapped for FORWARD, INCLUDE and ASYNC. Weir can't check a mapping made in code.");
  }

  private static UnmappedDispatchWarning missing(
      Set<DispatcherType> missing, Set<String> servlets) {
    return new UnmappedDispatchWarning(
        System.Logger.Level.WARNING,
        "No RateLimitFilter is mapped for "
            + missing
            + " in web.xml: such dispatches bypass the limits of the servlets "
            + servlets
            + ". Add <dispatcher> elements for REQUEST and "
            + NEEDED
            + " to its <filter-mapping>.");
  }

  void log(System.Logger log) {
    log.log(level, message);
  }

  /** Collects the kinds of dispatch that filters are mapped for; empty unless web.xml has all. */
  private static Optional<Set<DispatcherType>> mapped(
      List<? extends FilterRegistration> filters, List<WebXml.Mapping> mappings) {
    Set<DispatcherType> mapped = EnumSet.noneOf(DispatcherType.class);
    for (FilterRegistration filter : filters) {
      Set<String> targets = new TreeSet<>(filter.getUrlPatternMappings());
      targets.addAll(filter.getServletNameMappings());
      for (WebXml.Mapping mapping : mappings) {
        if (mapping.filter().equals(filter.getName())) {
          mapped.addAll(mapping.dispatchers());
          mapping.targets().forEach(targets::remove);
        }
      }
      if (!targets.isEmpty()) {
        return Optional.empty();
      }
    }
    return Optional.of(mapped);
  }
}
