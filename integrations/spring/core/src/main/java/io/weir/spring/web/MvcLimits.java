package io.weir.spring.web;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one web application. The filter leaves them in its servlet context, where the
 * interceptor finds them for a request that hasn't passed the filter. A management port has a
 * servlet context of its own, and so no limits unless it has a filter of its own.
 */
record MvcLimits(MvcEndpoints endpoints, MvcHandlers handlers) {
  private static final String ATTRIBUTE = MvcLimits.class.getName();

  /** Finds those of an application; null if no filter limits it. */
  static @Nullable MvcLimits in(@Nullable ServletContext context) {
    return context != null && context.getAttribute(ATTRIBUTE) instanceof MvcLimits limits
        ? limits
        : null;
  }

  void shareIn(ServletContext context) {
    if (in(context) == null) {
      context.setAttribute(ATTRIBUTE, this);
    }
  }

  /** Withdraws them when their filter ends, so that the container doesn't keep them in memory. */
  void withdrawFrom(ServletContext context) {
    if (equals(in(context))) {
      context.removeAttribute(ATTRIBUTE);
    }
  }
}
