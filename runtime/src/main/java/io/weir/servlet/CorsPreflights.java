package io.weir.servlet;

import io.weir.adapter.RequestValues;
import io.weir.internal.container.JaxrsServlet;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the requests by which browsers ask whether a page of another origin may send the real one.
 * A filter for CORS behind Weir's answers them, and none of them is counted then: each is left
 * undecided until right before its servlet, and there decided unless only {@link
 * jakarta.servlet.http.HttpServlet} itself answers it. Whatever a filter has made of it by then is
 * decided as what it is. One that may carry a credential, which no browser sends, is decided at
 * once: a filter behind Weir's may sign users in.
 *
 * <p>If the servlet runs JAX-RS, and Weir's feature has been seen behind it, the feature decides:
 * filters of JAX-RS may answer too.
 *
 * <p>Only those to a servlet of the application with a {@link PerServletFilter}: where the
 * container's default servlet would answer, a filter may be what handles requests. And none where
 * JAX-RS runs as a filter, whose resources may answer in place of any servlet.
 *
 * <p>Safe for concurrent use.
 */
final class CorsPreflights {
  private static final String LEFT = CorsPreflights.class.getName();

  /** Init parameters by which CXF's servlet serves requests without JAX-RS. */
  private static final Set<String> WITHOUT_JAXRS =
      Set.of("static-resources-list", "redirects-list");

  private final ServletEndpoints endpoints;
  private final Set<String> servlets;

  /** By name; those of them that run nothing but JAX-RS. */
  private final Map<String, JaxrsServlet> jaxrs;

  /**
   * Finds the preflights of an application.
   *
   * @param servlets the names of the servlets with a {@link PerServletFilter}
   */
  CorsPreflights(ServletContext context, ServletEndpoints endpoints, Set<String> servlets) {
    this.endpoints = endpoints;
    boolean hasFilter =
        context.getFilterRegistrations().values().stream().anyMatch(ServletEndpoints::runsJaxrs);
    this.servlets = hasFilter ? Set.of() : Set.copyOf(servlets);
    Map<String, JaxrsServlet> known = new TreeMap<>();
    for (String name : servlets) {
      ServletRegistration servlet = context.getServletRegistration(name);
      if (servlet != null && runsOnlyJaxrs(servlet)) {
        known.put(name, new JaxrsServlet());
      }
    }
    this.jaxrs = Map.copyOf(known);
  }

  private static boolean runsOnlyJaxrs(ServletRegistration servlet) {
    return ServletEndpoints.runsJaxrs(servlet)
        && WITHOUT_JAXRS.stream().allMatch(each -> servlet.getInitParameter(each) == null);
  }

  /** Returns whether a request is a preflight without anything that may be a credential. */
  static boolean is(HttpServletRequest request) {
    return "OPTIONS".equals(request.getMethod())
        && request.getHeader("Origin") != null
        && request.getHeader("Access-Control-Request-Method") != null
        && !RequestValues.mayCarryCredential(
            ExceptedRequests.headerNames(request), request.getQueryString());
  }

  /** Leaves a preflight undecided until it is right before its servlet. */
  boolean leave(HttpServletRequest request, DispatchTarget target) {
    if (request.getDispatcherType() != DispatcherType.REQUEST
        || target.isDefault()
        || !servlets.contains(target.servlet())
        || !endpoints.of(target).isOfApplication()) {
      return false;
    }
    request.setAttribute(LEFT, this);
    return true;
  }

  /** Returns whether a request was left undecided by a filter of the same application. */
  boolean wasLeft(HttpServletRequest request) {
    return request.getAttribute(LEFT) == this;
  }

  /** Returns whether a request right before its servlet gets no answer but a generated one. */
  boolean isFree(HttpServletRequest request, DispatchTarget target) {
    return is(request) && endpoints.of(target).isGenerated();
  }

  /** Returns whether the feature behind a servlet decides a request that was left undecided. */
  boolean isForFeature(HttpServletRequest request, DispatchTarget target) {
    @Nullable JaxrsServlet servlet = jaxrs.get(target.servlet());
    return servlet != null && servlet.decidesPreflights() && wasLeft(request) && is(request);
  }

  /** Finds a servlet that runs JAX-RS and behind which no feature has registered yet. */
  Optional<JaxrsServlet> withoutFeature(String servlet) {
    @Nullable JaxrsServlet found = jaxrs.get(servlet);
    return found == null || found.hasFeature() ? Optional.empty() : Optional.of(found);
  }
}
