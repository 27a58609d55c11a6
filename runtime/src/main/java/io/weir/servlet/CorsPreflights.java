package io.weir.servlet;

import io.weir.adapter.RequestValues;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;

/**
 * Finds the requests by which browsers ask whether a page of another origin may send the real one.
 * A filter for CORS behind Weir's answers them, and none of them is counted then: each is left
 * undecided until right before its servlet, and there decided unless only {@link
 * jakarta.servlet.http.HttpServlet} itself answers it. Whatever a filter has made of it by then is
 * decided as what it is. One that may carry a credential, which no browser sends, is decided at
 * once: a filter behind Weir's may sign users in.
 *
 * <p>Only those to a servlet of the application with a {@link PerServletFilter}: where the
 * container's default servlet would answer, a filter may be what handles requests.
 *
 * <p>Immutable.
 */
final class CorsPreflights {
  private static final String LEFT = CorsPreflights.class.getName();

  private final ServletEndpoints endpoints;
  private final Set<String> servlets;

  /**
   * Finds the preflights of an application.
   *
   * @param servlets the names of the servlets with a {@link PerServletFilter}
   */
  CorsPreflights(ServletEndpoints endpoints, Set<String> servlets) {
    this.endpoints = endpoints;
    this.servlets = Set.copyOf(servlets);
  }

  private static boolean is(HttpServletRequest request) {
    return "OPTIONS".equals(request.getMethod())
        && request.getHeader("Origin") != null
        && request.getHeader("Access-Control-Request-Method") != null
        && !RequestValues.mayCarryCredential(
            ExceptedRequests.headerNames(request), request.getQueryString());
  }

  /** Leaves a request undecided until it is right before its servlet, if it is a preflight. */
  boolean leave(HttpServletRequest request, DispatchTarget target) {
    if (request.getDispatcherType() != DispatcherType.REQUEST
        || !is(request)
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
}
