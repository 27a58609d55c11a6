package io.weir.spring.web;

import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.servlet.handler.AbstractHandlerMethodMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Finds the handler of a request before its servlet is called, by the handler mappings that the
 * servlet will ask too.
 *
 * <p>Safe for concurrent use.
 */
final class MvcHandlers {
  private static final String CORS_OF_SECURITY = "corsConfigurationSource";

  private final ApplicationContext context;
  private final MvcEndpoints endpoints;

  /** Read at the first request, when all servlets are registered. */
  private volatile @Nullable Map<String, DispatcherServlet> servlets;

  private final ConcurrentMap<String, Mappings> known = new ConcurrentHashMap<>();

  /**
   * The mappings of one servlet, in their order.
   *
   * @param parsesPath whether one of them needs the parsed path
   */
  private record Mappings(List<HandlerMapping> mappings, boolean parsesPath) {
    static final Mappings NONE = new Mappings(List.of(), false);
  }

  private Mappings of(List<HandlerMapping> mappings) {
    if (mappings.stream().anyMatch(MvcHandlers::ignoresCase)) {
      endpoints.handlers().ignoreCase();
    }
    return new Mappings(mappings, mappings.stream().anyMatch(HandlerMapping::usesPathPatterns));
  }

  /** Asks the matcher of paths by an example, since it doesn't say how it is set. */
  private static boolean ignoresCase(HandlerMapping mapping) {
    if (!(mapping instanceof AbstractHandlerMapping byPath)) {
      return false;
    }
    @Nullable PathPatternParser parser = byPath.getPatternParser();
    return parser != null
        ? !parser.isCaseSensitive()
        : byPath.getPathMatcher().match("/case", "/CASE");
  }

  MvcHandlers(ApplicationContext context, MvcEndpoints endpoints) {
    this.context = context;
    this.endpoints = endpoints;
  }

  /**
   * Finds the handler of a request. Without one, also because the mappings reject the request or
   * need its body, only the policies of its path and of the application count.
   */
  HandlerMatch find(HttpServletRequest request) {
    Mappings asked = mappings(request);
    if (asked.mappings.isEmpty()) {
      return endpoints.unlimited();
    }
    LookupRequest lookup = new LookupRequest(request);
    try {
      if (asked.parsesPath) {
        ServletRequestPathUtils.parseAndCache(lookup);
      }
      for (HandlerMapping each : asked.mappings) {
        @Nullable HandlerMatch match = find(each, lookup, request);
        if (match != null) {
          return match;
        }
      }
    } catch (Exception | LinkageError rejected) {
      // The servlet asks again, and answers by 404, 405, 415 and so on.
    }
    return withCors(endpoints.withoutHandler(request), List.of(), request);
  }

  /**
   * Asks one mapping, which goes by the parameters of the query. If a form in the body may choose
   * another one of its handlers, that is a sibling.
   */
  private @Nullable HandlerMatch find(
      HandlerMapping mapping, LookupRequest lookup, HttpServletRequest request) throws Exception {
    @Nullable HandlerMatch match = null;
    @Nullable Exception rejected = null;
    try {
      @Nullable HandlerExecutionChain chain = mapping.getHandler(lookup);
      if (chain != null) {
        match =
            withCors(endpoints.of(chain.getHandler(), lookup), chain.getInterceptorList(), request);
      }
    } catch (Exception thrown) {
      rejected = thrown;
    }
    if (lookup.takeMissedForm()) {
      boolean isChosen = match != null;
      match = FormSiblings.add(match, FormSiblings.of(mapping, lookup, endpoints));
      if (match != null && !isChosen) {
        match = withCors(match, List.of(), request);
      }
    }
    if (match == null && rejected != null) {
      throw rejected;
    }
    return match;
  }

  /** Adds the rules by which a refusal is readable to callers from other origins. */
  private HandlerMatch withCors(
      HandlerMatch match, List<HandlerInterceptor> interceptors, HttpServletRequest request) {
    if (!CorsUtils.isCorsRequest(request)) {
      return match;
    }
    for (HandlerInterceptor each : interceptors) {
      if (each instanceof CorsConfigurationSource rules) {
        return match.withCors(rules);
      }
    }
    return context.containsBean(CORS_OF_SECURITY)
            && context.getBean(CORS_OF_SECURITY) instanceof CorsConfigurationSource rules
        ? match.withCors(rules)
        : match;
  }

  /**
   * Returns those of the servlet that the container has chosen; none if it isn't one of Spring's.
   */
  private Mappings mappings(HttpServletRequest request) {
    String name = servlet(request);
    if (name.isEmpty()) {
      return ofContext();
    }
    Mappings found = known.get(name);
    return found != null ? found : ofServlet(name);
  }

  /** Returns whether the container has chosen one of Spring's servlets. */
  boolean isOfSpring(HttpServletRequest request) {
    String name = servlet(request);
    return name.isEmpty() || servlets().containsKey(name);
  }

  /** Returns the name of the servlet; empty in MockMvc, which has no registered servlets. */
  private static String servlet(HttpServletRequest request) {
    @Nullable HttpServletMapping mapping = request.getHttpServletMapping();
    @Nullable String name = mapping == null ? "" : mapping.getServletName();
    return name == null ? "" : name;
  }

  private Mappings ofContext() {
    return known.computeIfAbsent("", any -> of(detected(context)));
  }

  private Mappings ofServlet(String name) {
    @Nullable DispatcherServlet servlet = servlets().get(name);
    if (servlet == null) {
      return known.computeIfAbsent(name, any -> Mappings.NONE);
    }
    @Nullable List<HandlerMapping> own = servlet.getHandlerMappings();
    if (own != null) {
      return known.computeIfAbsent(name, any -> of(List.copyOf(own)));
    }
    // The first request initializes the servlet, unless it is loaded on startup.
    return servlet.getWebApplicationContext() instanceof ConfigurableApplicationContext its
            && its.isActive()
        ? of(detected(its))
        : Mappings.NONE;
  }

  /** Finds mappings as {@link DispatcherServlet} does. */
  private static List<HandlerMapping> detected(ApplicationContext context) {
    List<HandlerMapping> all =
        new ArrayList<>(
            BeanFactoryUtils.beansOfTypeIncludingAncestors(
                    context, HandlerMapping.class, true, false)
                .values());
    AnnotationAwareOrderComparator.sort(all);
    return all;
  }

  private Map<String, DispatcherServlet> servlets() {
    Map<String, DispatcherServlet> found = servlets;
    if (found == null) {
      found = findServlets();
      servlets = found;
    }
    return found;
  }

  private Map<String, DispatcherServlet> findServlets() {
    Map<String, DispatcherServlet> found = new HashMap<>();
    for (ServletRegistrationBean<?> each :
        context.getBeansOfType(ServletRegistrationBean.class, true, false).values()) {
      if (each.getServlet() instanceof DispatcherServlet servlet) {
        found.put(each.getServletName(), servlet);
      }
    }
    context
        .getBeansOfType(DispatcherServlet.class, true, false)
        .forEach(
            (name, servlet) -> {
              if (!found.containsValue(servlet)) {
                found.put(name, servlet);
              }
            });
    return found;
  }

  /**
   * Validates the annotations of all handlers that the mappings of the application know at the
   * start.
   */
  void check() {
    List<Object> found = new ArrayList<>();
    for (HandlerMapping each : context.getBeansOfType(HandlerMapping.class, true, false).values()) {
      if (each instanceof AbstractHandlerMethodMapping<?> byMethod) {
        found.addAll(byMethod.getHandlerMethods().values());
      } else if (each instanceof AbstractUrlHandlerMapping byUrl) {
        found.addAll(byUrl.getHandlerMap().values());
      }
    }
    endpoints.handlers().check(found);
  }
}
