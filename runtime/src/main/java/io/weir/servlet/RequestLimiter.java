package io.weir.servlet;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.internal.container.JaxrsServlet;
import io.weir.internal.container.ReceivedPath;
import io.weir.spi.DecisionPhase;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Decides requests for their targets, and lets each pass or answers it with a refusal. All filters
 * of an application share one.
 *
 * <p>Safe for concurrent use.
 */
final class RequestLimiter {
  /** No phase: the feature of JAX-RS decides the request if it may reach a resource. */
  private static final List<DecisionPhase> LEFT_TO_JAXRS = List.of();

  private final Adapter adapter;

  /** The one that stands for a Weir, which this doesn't keep in memory after its end. */
  private final LimitedEndpoint unlimited;

  private final ServletEndpoints endpoints;
  private final CorsPreflights preflights;

  RequestLimiter(Adapter adapter, ServletEndpoints endpoints, CorsPreflights preflights) {
    this.adapter = adapter;
    this.unlimited = adapter.unlimited();
    this.endpoints = endpoints;
    this.preflights = preflights;
  }

  /** Makes it available to all filters of an application. */
  void shareIn(ServletContext context) {
    context.setAttribute(RequestLimiter.class.getName(), this);
  }

  /** Withdraws it when its filter ends, so that the container doesn't keep it in memory. */
  void withdrawFrom(ServletContext context) {
    if (context.getAttribute(RequestLimiter.class.getName()) == this) {
      context.removeAttribute(RequestLimiter.class.getName());
    }
  }

  /** Finds the limiter of an application; empty before one of its filters has started. */
  static Optional<RequestLimiter> in(ServletContext context) {
    // Another application has a class of this name of its own.
    return context.getAttribute(RequestLimiter.class.getName()) instanceof RequestLimiter limiter
        ? Optional.of(limiter)
        : Optional.empty();
  }

  /** Filters a request whose target is read from the request. */
  void filter(
      Object filter,
      SignInPosition phase,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    DispatchTarget target = DispatchTarget.of(request);
    Optional<RequestLifecycle> begun = RequestLifecycle.of(request, unlimited);
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      filterErrorDispatch(filter, begun, target, phase.phases(), request, response, chain);
    } else if (begun.isEmpty() && leaves(request, target)) {
      chain.doFilter(request, response);
    } else {
      filter(filter, begun, target, phase.phases(), request, response, chain);
    }
  }

  /**
   * Leaves a preflight to the filter right before its servlet, unless that decides by another Weir:
   * it has the limiter of one of the application's filters.
   */
  private boolean leaves(HttpServletRequest request, DispatchTarget target) {
    if (!CorsPreflights.is(request)) {
      return false;
    }
    Optional<RequestLimiter> last = in(request.getServletContext());
    return last.filter(each -> each.unlimited == unlimited).isPresent()
        && last.get().preflights.leave(request, target);
  }

  /**
   * Filters a request right before a servlet, where the target of a dispatch by name is known, and
   * HTTP method and path as other filters have changed them. Does nothing if the target was known
   * before, unless a filter before the sign-in is mapped there and none after it.
   */
  void filterBeforeServlet(
      String servlet, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<RequestLifecycle> begun = RequestLifecycle.of(request, unlimited);
    DispatchTarget target = DispatchTarget.of(servlet, request);
    List<DecisionPhase> phases = SignInPosition.BOTH.phases();
    DispatcherType type = request.getDispatcherType();
    if (type == DispatcherType.ERROR) {
      filterErrorDispatch(servlet, begun, target, phases, request, response, chain);
    } else if (type == DispatcherType.REQUEST && isDecided(begun, target, request)) {
      showToFeature(servlet, request);
      chain.doFilter(request, response);
    } else if (type == DispatcherType.REQUEST
        && begun.isEmpty()
        && preflights.isForFeature(request, target)) {
      filter(servlet, begun, target, LEFT_TO_JAXRS, request, response, chain);
    } else {
      filter(servlet, begun, target, phases, request, response, chain);
    }
  }

  /** Shows a servlet that runs JAX-RS to the feature behind it, until that has registered. */
  private void showToFeature(String servlet, HttpServletRequest request) {
    Optional<JaxrsServlet> unregistered = preflights.withoutFeature(servlet);
    if (unregistered.isPresent()
        && request.getAttribute(ReceivedPath.ATTRIBUTE) instanceof ReceivedPath received) {
      request.setAttribute(
          ReceivedPath.ATTRIBUTE,
          new ReceivedPath(received.application(), received.path(), unregistered, false));
    }
  }

  /** Returns whether nothing is left to decide right before a servlet. */
  private boolean isDecided(
      Optional<RequestLifecycle> begun, DispatchTarget target, HttpServletRequest request) {
    return begun.isPresent()
        ? isAt(begun.get(), target) && !isUndecided(begun.get(), target)
        : !preflights.wasLeft(request) || preflights.isFree(request, target);
  }

  /**
   * Returns whether a request was decided for a target; its path matters if anything goes by it.
   */
  private boolean isAt(RequestLifecycle begun, DispatchTarget target) {
    return adapter.limitsPaths() || adapter.hasPolicySource()
        ? begun.isAtPath(target)
        : begun.isAt(target);
  }

  /**
   * Returns whether policies by user are still undecided. For resources of JAX-RS only those of the
   * URL count: the feature decides all others, perhaps after a sign-in of JAX-RS.
   */
  private boolean isUndecided(RequestLifecycle begun, DispatchTarget target) {
    return begun.isUndecided() && endpoints.of(target).decidesBeforeServlet();
  }

  /**
   * Filters an error page, which costs nothing since it belongs to the request that failed. The
   * targets that the page dispatches to are decided as usual.
   */
  private void filterErrorDispatch(
      Object filter,
      Optional<RequestLifecycle> begun,
      DispatchTarget target,
      List<DecisionPhase> phases,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    if (begun.isEmpty()) {
      beginAtErrorPage(filter, target, request, response, chain);
    } else if (begun.get().isFromErrorPageTo(target)) {
      filter(filter, begun, target, phases, request, response, chain);
    } else {
      passToErrorPage(begun.get(), target, request, response, chain);
    }
  }

  /** Begins with an error page: the request failed before it passed a filter. */
  private void beginAtErrorPage(
      Object filter,
      DispatchTarget page,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    ServletEndpoints.Endpoint endpoint = endpoints.of(page);
    if (endpoint.isControl()) {
      chain.doFilter(request, response);
      return;
    }
    RequestLifecycle dispatched =
        RequestLifecycle.begin(
            adapter, FilterPass.first(filter, page, endpoint, request, response, false));
    boolean returned = false;
    try {
      passToErrorPage(dispatched, page, request, response, chain);
      returned = true;
    } finally {
      if (!returned) {
        dispatched.failed(response);
      }
      dispatched.end(request, response);
    }
  }

  private void filter(
      Object filter,
      Optional<RequestLifecycle> begun,
      DispatchTarget target,
      List<DecisionPhase> phases,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    ServletEndpoints.Endpoint endpoint = endpoints.of(target);
    if (endpoint.isControl()) {
      chain.doFilter(request, response);
      return;
    }
    if (adapter.limitsPaths()) {
      request.setAttribute(
          ReceivedPath.ATTRIBUTE,
          new ReceivedPath(
              request.getContextPath(),
              target.path(),
              Optional.empty(),
              phases.equals(LEFT_TO_JAXRS)));
    }
    if (adapter.hasPolicySource()) {
      target.path(); // while it can be read: the source reads it again at the end
    }
    boolean included = isIncluded(begun, request);
    boolean isAsync = request.getDispatcherType() == DispatcherType.ASYNC;
    FilterPass pass =
        begun.isPresent()
            ? begun.get().next(filter, target, endpoint, request, response, included)
            : FilterPass.first(filter, target, endpoint, request, response, included);
    RequestLifecycle dispatched =
        begun.isPresent() ? begun.get() : RequestLifecycle.begin(adapter, pass);
    boolean returned = false;
    try {
      LimitedRequest.Binding bound = dispatched.arrive(pass);
      try {
        if (included) {
          passPart(dispatched, request, response, chain);
        } else {
          pass(dispatched, phases, request, response, chain);
        }
      } finally {
        dispatched.depart(pass, bound);
      }
      returned = true;
    } finally {
      boolean first = begun.isEmpty();
      if (!returned && (first || isAsync)) {
        dispatched.failed(response);
      }
      if (first) {
        dispatched.end(request, response);
      } else if (!included) {
        restoreHeaders(dispatched, request, response);
      }
    }
  }

  /** Returns whether the response ignores status and headers: in includes and their forwards. */
  private static boolean isIncluded(Optional<RequestLifecycle> begun, HttpServletRequest request) {
    return LimitedServletRequest.isPart(request)
        || request.getDispatcherType() == DispatcherType.FORWARD
            && begun.isPresent()
            && begun.get().isIncluded();
  }

  private static void pass(
      RequestLifecycle dispatched,
      List<DecisionPhase> phases,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    Optional<Refusal> refusal = dispatched.decide(phases);
    if (refusal.isPresent()) {
      dispatched.refuse(refusal.get(), request, response);
    } else {
      dispatched.writeHeaders();
      dispatched.proceed(dispatched.unread(request), response, chain);
    }
  }

  /**
   * Filters an include. If it is refused, so is the whole request; if the response is already
   * committed, the include is skipped.
   */
  private static void passPart(
      RequestLifecycle dispatched,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    Optional<RuntimeException> refusal = dispatched.decidePart();
    if (refusal.isEmpty()) {
      dispatched.writeHeaders();
      chain.doFilter(dispatched.unread(request), response);
    } else if (dispatched.canRefuse()) {
      throw refusal.get();
    }
  }

  private static void passToErrorPage(
      RequestLifecycle dispatched,
      DispatchTarget page,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    FilterPass at = dispatched.errorPage(page, request, response);
    LimitedRequest.Binding bound = dispatched.arriveAtErrorPage(at);
    try {
      dispatched.proceed(dispatched.unread(request), response, chain);
    } finally {
      dispatched.depart(at, bound);
      restoreHeaders(dispatched, request, response);
    }
  }

  /** Does nothing if another thread may be writing the response. */
  private static void restoreHeaders(
      RequestLifecycle dispatched, HttpServletRequest request, HttpServletResponse response) {
    if (!request.isAsyncStarted()) {
      dispatched.restoreHeaders(response);
    }
  }
}
