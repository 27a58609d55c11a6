package io.weir.spring.web;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;

/**
 * Limits the handlers of Spring MVC by their annotations. It finds the handler by the mappings of
 * the servlet that will be called, and decides the policies that need no user; those by user are
 * decided right before the handler, by an interceptor. In between stands Spring Security, if the
 * application has it: so the requests that it rejects count.
 *
 * <p>No handler runs undecided. What is decided here only adds to what the interceptor decides,
 * which sees the request as its handler will: it decides what this filter couldn't, or what it has
 * decided for another handler, method or path, and charges nothing twice. The first dispatch that
 * passes the filter begins a request, whatever has led there: a filter before it may forward,
 * include, or dispatch. What begins a request also ends it.
 *
 * <p>The starters register it right before Spring Security. Register it yourself only for a child
 * context with a server of its own, such as that of the management port, for {@link
 * #dispatcherTypes()} and with support for asynchronous requests.
 *
 * <p>Safe for concurrent use.
 */
public final class WebMvcRateLimitFilter implements Filter {
  /** Null once the application has ended. */
  private volatile @Nullable MvcLimits limits;

  private volatile @Nullable ServletContext servletContext;

  /**
   * Limits the handlers of one context.
   *
   * @param adapter the application's
   * @param context the context with the handler mappings and the registered servlets
   */
  public WebMvcRateLimitFilter(Adapter adapter, ApplicationContext context) {
    MvcEndpoints endpoints = new MvcEndpoints(adapter, context);
    this.limits = new MvcLimits(endpoints, new MvcHandlers(context, endpoints));
  }

  /**
   * Returns the dispatches that it must be registered for: all of them, since each may be the first
   * that passes it.
   *
   * @return a new set
   */
  public static Set<DispatcherType> dispatcherTypes() {
    return EnumSet.allOf(DispatcherType.class);
  }

  /**
   * Lets the interceptor find the limits for requests that don't pass the filter, such as
   * dispatches by name.
   *
   * @param config the filter's configuration
   */
  @Override
  public void init(FilterConfig config) {
    MvcLimits now = limits;
    if (now != null) {
      servletContext = config.getServletContext();
      now.shareIn(config.getServletContext());
    }
  }

  /**
   * Validates the annotations of all handlers that the mappings of the context list.
   *
   * @throws io.weir.InvalidPolicyException if there are mistakes; the message lists all
   */
  void check() {
    MvcLimits checked = limits;
    if (checked != null) {
      checked.handlers().check();
    }
  }

  /**
   * Forgets the application, and limits nothing from now on. Tomcat keeps a filter after the end of
   * the application, and the logging system of Spring Boot keeps that Tomcat.
   */
  void release() {
    MvcLimits before = limits;
    ServletContext context = servletContext;
    limits = null;
    servletContext = null;
    if (before != null && context != null) {
      before.withdrawFrom(context);
    }
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    MvcLimits now = limits;
    if (now == null
        || !(request instanceof HttpServletRequest http)
        || !(response instanceof HttpServletResponse answer)) {
      chain.doFilter(request, response);
      return;
    }
    @Nullable MvcRequest begun = MvcRequest.of(http, now.endpoints());
    boolean isErrorPage = ErrorPage.isNext(http);
    boolean isAsync = http.getDispatcherType() == DispatcherType.ASYNC;
    if (begun != null && begun.isBound() && !isErrorPage && !isAsync) {
      chain.doFilter(request, response); // the dispatch around it has bound the request
    } else {
      filter(now, begun, isErrorPage, http, answer, chain);
    }
  }

  /**
   * Filters the first dispatch of a request, which ends it, or a later one: an error page, the
   * answer of an asynchronous handler, or what a filter before this has made.
   *
   * @param begun null for the first
   */
  private static void filter(
      MvcLimits limits,
      @Nullable MvcRequest begun,
      boolean isErrorPage,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    boolean isFirst = begun == null;
    boolean isPart = MvcRequest.isPart(request);
    boolean isAsync = request.getDispatcherType() == DispatcherType.ASYNC;
    MvcRequest limited = begun == null ? begin(limits, isErrorPage || isPart, request) : begun;
    LimitedRequest.@Nullable Binding before = limited.binding();
    LimitedRequest.Binding bound = limited.bind();
    boolean returned = false;
    try {
      if (isErrorPage) {
        passToErrorPage(limits, limited, request, response, chain);
      } else if (isPart) {
        chain.doFilter(
            limited.unreadLater(request),
            response); // the interceptor decides a part of the response
      } else if (isFirst) {
        answer(limited, limited.decideBeforeSignIn(request), request, response, chain);
      } else {
        limited.proceed(limited.unreadLater(request), LimitedResponse.of(response, limited), chain);
      }
      returned = true;
    } finally {
      limited.unbind(bound, before);
      if (!returned && (isFirst || isAsync)) {
        limited.failed(response);
      }
      if (isFirst) {
        limited.end(request, response);
      } else if (!isPart && !request.isAsyncStarted()) {
        limited.restoreHeaders(response);
        if (isAsync) {
          limited.completed(response.getStatus());
        }
      }
    }
  }

  private static MvcRequest begin(
      MvcLimits limits, boolean isDecidedLater, HttpServletRequest request) {
    HandlerMatch match =
        isDecidedLater ? limits.endpoints().unlimited() : limits.handlers().find(request);
    return MvcRequest.begin(limits.endpoints(), request, match);
  }

  private static void answer(
      MvcRequest limited,
      Optional<Refusal> refusal,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    if (refusal.isPresent()) {
      limited.refuse(refusal.get(), request, response);
    } else {
      limited.writeEarlyHeaders(response);
      limited.proceed(limited.unread(request), LimitedResponse.of(response, limited), chain);
    }
  }

  /** Filters an error page, which costs nothing since it belongs to the request that failed. */
  private static void passToErrorPage(
      MvcLimits limits,
      MvcRequest limited,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    ErrorPage page = ErrorPage.open(request, limits.handlers().isOfSpring(request));
    limited.responseWasReset(response);
    try {
      chain.doFilter(limited.unreadLater(request), response);
    } finally {
      page.close(request);
    }
  }
}
