package io.weir.spring.web;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.RequestValues;
import io.weir.servlet.ExceptedRequests;
import io.weir.spi.DecisionPhase;
import io.weir.spring.SpringHandlers;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.mvc.Controller;

/**
 * The endpoints of an application's handlers: for each the policies that limit it.
 *
 * <p>Safe for concurrent use.
 */
final class MvcEndpoints {
  private final Adapter adapter;
  private final SpringHandlers handlers;

  MvcEndpoints(Adapter adapter, ApplicationContext context) {
    this.adapter = adapter;
    this.handlers = new SpringHandlers(adapter, context, MvcEndpoints::servingMethod);
  }

  Adapter adapter() {
    return adapter;
  }

  SpringHandlers handlers() {
    return handlers;
  }

  /** Returns the match of a request that isn't limited here. */
  HandlerMatch unlimited() {
    return new HandlerMatch(
        null, adapter.unlimited(), "", "", "", "", Map.of(), false, null, List.of());
  }

  /**
   * Returns the match of a request for which no handler is known: a filter may answer it, such as a
   * sign-in, or Spring MVC by an error. The policies of its path and of the application count, and
   * rules.
   */
  HandlerMatch withoutHandler(HttpServletRequest request) {
    return CorsUtils.isPreFlightRequest(request) ? answeredBySpring(request) : ofPage(request);
  }

  /**
   * Returns the match of a request that Spring answers itself: no policies, unless it may carry a
   * credential, which a filter may judge.
   */
  private HandlerMatch answeredBySpring(HttpServletRequest request) {
    boolean mayCarryCredential =
        RequestValues.mayCarryCredential(
            ExceptedRequests.headerNames(request), request.getQueryString());
    return mayCarryCredential ? ofPage(request) : unlimited();
  }

  private HandlerMatch ofPage(HttpServletRequest request) {
    LimitedEndpoint endpoint = handlers.page().limits();
    String path = MvcRequestInfo.pathOf(request);
    if (adapter.limitsPaths()) {
      endpoint = endpoint.and(handlers.byPath(path));
    }
    return endpoint.decides(DecisionPhase.BEFORE_AUTHENTICATION)
        ? new HandlerMatch(
            null,
            endpoint,
            request.getMethod(),
            path,
            "",
            handlers.nameOfPath(path),
            Map.of(),
            true,
            null,
            List.of())
        : unlimited();
  }

  /** Returns the match of a handler, with what its mapping has left in the request's attributes. */
  HandlerMatch of(Object handler, HttpServletRequest request) {
    if (CorsUtils.isPreFlightRequest(request) || SpringHandlers.answersOptions(handler)) {
      return answeredBySpring(request);
    }
    SpringHandlers.Handler found = handlers.of(handler);
    String pattern =
        request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String text
            ? text
            : "";
    LimitedEndpoint endpoint = found.limits();
    String path = "";
    if (adapter.limitsPaths()) {
      path = MvcRequestInfo.pathOf(request);
      endpoint = endpoint.and(handlers.byPath(path));
    }
    String name =
        pattern.isEmpty()
            ? handlers.nameOfPath(MvcRequestInfo.pathOf(request))
            : handlers.nameOfPattern(pattern);
    return new HandlerMatch(
        found,
        endpoint,
        request.getMethod(),
        path,
        pattern,
        name,
        SpringHandlers.variables(
            request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)),
        true,
        null,
        List.of());
  }

  /** Finds the method of a handler that isn't the method of a controller. */
  private static @Nullable Method servingMethod(Class<?> type) {
    if (HandlerFunction.class.isAssignableFrom(type)) {
      return ClassUtils.getMethod(HandlerFunction.class, "handle", ServerRequest.class);
    }
    if (HttpRequestHandler.class.isAssignableFrom(type)) {
      return ClassUtils.getMethod(HttpRequestHandler.class, "handleRequest", (Class<?>[]) null);
    }
    return Controller.class.isAssignableFrom(type)
        ? ClassUtils.getMethod(Controller.class, "handleRequest", (Class<?>[]) null)
        : null;
  }
}
