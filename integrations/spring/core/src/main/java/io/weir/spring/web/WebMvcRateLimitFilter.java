package io.weir.spring.web;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
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
 * <p>The starters register it right before Spring Security. Register it yourself only for a child
 * context with a server of its own, such as that of the management port, for {@link
 * #dispatcherTypes()} and with support for asynchronous requests.
 *
 * <p>Safe for concurrent use.
 */
public final class WebMvcRateLimitFilter implements Filter {
  /** Null once the application has ended. */
  private volatile @Nullable Limits limits;

  private record Limits(MvcEndpoints endpoints, MvcHandlers handlers) {}

  /**
   * Limits the handlers of one context.
   *
   * @param adapter the application's
   * @param context the context with the handler mappings and the registered servlets
   */
  public WebMvcRateLimitFilter(Adapter adapter, ApplicationContext context) {
    MvcEndpoints endpoints = new MvcEndpoints(adapter);
    this.limits = new Limits(endpoints, new MvcHandlers(context, endpoints));
  }

  /**
   * Returns the dispatches that it must be registered for. Forwards and includes are decided by the
   * interceptor.
   *
   * @return a new set
   */
  public static Set<DispatcherType> dispatcherTypes() {
    return EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR);
  }

  /**
   * Validates the annotations of all handlers that the mappings of the context list.
   *
   * @throws io.weir.InvalidPolicyException if there are mistakes; the message lists all
   */
  void check() {
    Limits checked = limits;
    if (checked != null) {
      checked.endpoints().check(checked.handlers().list());
    }
  }

  /**
   * Forgets the application, and limits nothing from now on. Tomcat keeps a filter after the end of
   * the application, and the logging system of Spring Boot keeps that Tomcat.
   */
  void release() {
    limits = null;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Limits now = limits;
    if (now == null
        || !(request instanceof HttpServletRequest http)
        || !(response instanceof HttpServletResponse answer)) {
      chain.doFilter(request, response);
      return;
    }
    @Nullable MvcRequest begun = MvcRequest.of(http);
    DispatcherType type = http.getDispatcherType();
    if (begun != null && !begun.isOf(now.endpoints())) {
      begun = null; // another application has forwarded it
    }
    if (begun == null && type != DispatcherType.ERROR) {
      begin(now, http, answer, chain);
    } else if (begun != null && type == DispatcherType.ASYNC) {
      goOn(begun, http, answer, chain);
    } else if (begun != null && type == DispatcherType.ERROR) {
      passToErrorPage(begun, http, answer, chain);
    } else {
      chain.doFilter(request, response); // registered twice
    }
  }

  private static void begin(
      Limits limits, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    MvcRequest limited =
        MvcRequest.begin(limits.endpoints(), request, limits.handlers().find(request));
    LimitedRequest.Binding bound = limited.bind();
    boolean returned = false;
    try {
      Optional<Refusal> refusal = limited.decideBeforeSignIn(request);
      if (refusal.isPresent()) {
        limited.refuse(refusal.get(), request, response);
      } else {
        limited.writeHeaders(response);
        proceed(limited, request, new LimitedResponse(response, limited), chain);
      }
      returned = true;
    } finally {
      limited.unbind(bound, null);
      if (!returned) {
        limited.failed();
      }
      end(limited, request, response);
    }
  }

  private static void end(
      MvcRequest limited, HttpServletRequest request, HttpServletResponse response) {
    limited.leave(request);
    if (request.isAsyncStarted()) {
      MvcCompletion.await(limited, request, response);
    } else {
      limited.restoreHeaders(response);
      limited.completed(response.getStatus());
    }
  }

  /** Filters the dispatch that answers what an asynchronous handler has computed. */
  private static void goOn(
      MvcRequest limited,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    LimitedRequest.@Nullable Binding before = limited.binding();
    LimitedRequest.Binding bound = limited.bind();
    boolean returned = false;
    try {
      HttpServletResponse seen =
          LimitedResponse.wraps(response, limited)
              ? response
              : new LimitedResponse(response, limited);
      proceed(limited, request, seen, chain);
      returned = true;
    } finally {
      limited.unbind(bound, before);
      if (!returned) {
        limited.failed();
      }
      if (!request.isAsyncStarted()) {
        limited.restoreHeaders(response);
        limited.completed(response.getStatus());
      }
    }
  }

  /** Filters an error page, which costs nothing since it belongs to the request that failed. */
  private static void passToErrorPage(
      MvcRequest limited,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    LimitedRequest.@Nullable Binding before = limited.binding();
    LimitedRequest.Binding bound = limited.bind();
    limited.responseWasReset();
    limited.writeHeaders(response);
    try {
      chain.doFilter(request, response);
    } finally {
      limited.unbind(bound, before);
      if (!request.isAsyncStarted()) {
        limited.restoreHeaders(response);
      }
    }
  }

  /** Makes the response to a refusal that no exception resolver has seen, such as of a filter. */
  private static void proceed(
      MvcRequest limited,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException thrown) {
      Optional<Refusal> refusal = limited.refusalIn(thrown);
      if (refusal.isEmpty() || response.isCommitted()) {
        throw thrown;
      }
      limited.refuse(refusal.get(), request, response);
      if (request.isAsyncStarted()) {
        request.getAsyncContext().complete();
      }
    }
  }
}
