package io.weir.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Warns if dispatches can reach limited servlets without passing a filter of Weir.
 *
 * <p>A {@link FilterRegistration} tells the URLs and servlets that a filter is mapped to, but not
 * for which kinds of dispatch. So web.xml is read; mappings added by code can't be known. Servlets
 * that have a {@link PerServletFilter} need no mapping for dispatches.
 */
final class UnmappedDispatchWarning {
  private static final System.Logger LOG = System.getLogger(RateLimitFilter.class.getName());
  private static final Set<DispatcherType> NEEDED =
      EnumSet.of(DispatcherType.FORWARD, DispatcherType.INCLUDE, DispatcherType.ASYNC);

  private UnmappedDispatchWarning() {}

  static void warn(ServletContext context, ServletEndpoints endpoints) {
    Set<String> servlets = new TreeSet<>(endpoints.limited());
    servlets.removeAll(PerServletFilter.servlets(context));
    if (servlets.isEmpty()) {
      return;
    }
    Optional<Set<DispatcherType>> mapped =
        WebXml.mappings(context).flatMap(each -> mapped(context, each));
    if (mapped.isEmpty()) {
      LOG.log(
          System.Logger.Level.INFO,
          () ->
              "The limits of "
                  + servlets
                  + " hold for forwards, includes and asynchronous dispatches as far as"
                  + " RateLimitFilter is mapped for FORWARD, INCLUDE and ASYNC, which can't be"
                  + " looked up where code maps it.");
      return;
    }
    Set<DispatcherType> missing = EnumSet.copyOf(NEEDED);
    missing.removeAll(mapped.get());
    if (!missing.isEmpty()) {
      LOG.log(
          System.Logger.Level.WARNING,
          () ->
              "No RateLimitFilter is mapped for "
                  + missing
                  + " in web.xml: such dispatches pass the limits of "
                  + servlets
                  + ". Add <dispatcher> elements to its <filter-mapping>: "
                  + NEEDED
                  + " and REQUEST.");
    }
  }

  /**
   * What the filters of this class are mapped for that decide all that is left; nothing where
   * web.xml doesn't tell it all.
   */
  private static Optional<Set<DispatcherType>> mapped(
      ServletContext context, List<WebXml.Mapping> mappings) {
    Set<DispatcherType> mapped = EnumSet.noneOf(DispatcherType.class);
    for (Map.Entry<String, ? extends FilterRegistration> each :
        context.getFilterRegistrations().entrySet()) {
      FilterRegistration filter = each.getValue();
      if (RateLimitFilter.class.getName().equals(filter.getClassName())
          && FilterParameters.phase(filter) != FilterPhase.BEFORE) {
        Set<String> targets = new TreeSet<>(filter.getUrlPatternMappings());
        targets.addAll(filter.getServletNameMappings());
        for (WebXml.Mapping mapping : mappings) {
          if (mapping.filter().equals(each.getKey())) {
            mapped.addAll(mapping.dispatchers());
            mapping.targets().forEach(targets::remove);
          }
        }
        if (!targets.isEmpty()) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(mapped);
  }
}
