package io.weir.spring.webflux;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.RequestValues;
import io.weir.spi.DecisionPhase;
import io.weir.spring.SpringHandlers;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.handler.AbstractHandlerMapping;
import org.springframework.web.reactive.result.method.AbstractHandlerMethodMapping;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the handler of an exchange before the dispatcher does, by the handler mappings that it will
 * ask too. What they change of the exchange is dropped.
 *
 * <p>Safe for concurrent use.
 */
final class HandlerLookup {
  private final Adapter adapter;
  private final ApplicationContext context;
  private final SpringHandlers handlers;
  private volatile @Nullable List<HandlerMapping> mappings;

  HandlerLookup(Adapter adapter, ApplicationContext context) {
    this.adapter = adapter;
    this.context = context;
    this.handlers = new SpringHandlers(adapter, context, HandlerLookup::servingMethod);
  }

  private static @Nullable Method servingMethod(Class<?> type) {
    return HandlerFunction.class.isAssignableFrom(type)
        ? ClassUtils.getMethod(HandlerFunction.class, "handle", ServerRequest.class)
        : null;
  }

  /** Returns the handler methods that are known before the first request. */
  List<HandlerMethod> handlerMethods() {
    List<HandlerMethod> found = new ArrayList<>();
    for (HandlerMapping each : mappings()) {
      if (each instanceof AbstractHandlerMethodMapping<?> methods) {
        found.addAll(methods.getHandlerMethods().values());
      }
    }
    return found;
  }

  /**
   * Validates the annotations of all handlers.
   *
   * @throws io.weir.InvalidPolicyException if there are mistakes; the message lists all
   */
  void check() {
    handlers.check(handlerMethods());
  }

  /** Collects the mappings as the dispatcher does. */
  private List<HandlerMapping> mappings() {
    List<HandlerMapping> known = mappings;
    if (known == null) {
      known =
          new ArrayList<>(
              BeanFactoryUtils.beansOfTypeIncludingAncestors(
                      context, HandlerMapping.class, true, false)
                  .values());
      AnnotationAwareOrderComparator.sort(known);
      if (known.stream().anyMatch(HandlerLookup::ignoresCase)) {
        handlers.ignoreCase();
      }
      mappings = known;
    }
    return known;
  }

  private static boolean ignoresCase(HandlerMapping mapping) {
    return mapping instanceof AbstractHandlerMapping byPath
        && !byPath.getPathPatternParser().isCaseSensitive();
  }

  /**
   * Finds the handler of a request.
   *
   * @return empty if there is none, or if WebFlux rejects the request or answers it itself. If only
   *     the path is limited, what was found has no method
   */
  Mono<Optional<FoundHandler>> find(ServerWebExchange exchange) {
    TrialExchange trial = new TrialExchange(exchange);
    if (CorsUtils.isPreFlightRequest(exchange.getRequest())) {
      return Mono.fromSupplier(() -> answeredByWebFlux(trial));
    }
    return Flux.fromIterable(mappings())
        .concatMap(mapping -> ask(mapping, trial))
        .next()
        .map(
            handler ->
                HttpStatus.FORBIDDEN.equals(trial.getResponse().getStatusCode()) // by CORS
                    ? Optional.<FoundHandler>empty()
                    : found(handler, trial))
        // The dispatcher asks again, and answers by 404, 405, 415 and so on.
        .onErrorResume(rejected -> Mono.empty())
        .switchIfEmpty(Mono.fromSupplier(() -> withoutHandler(trial)));
  }

  /**
   * Asks a mapping. One that fails here may need what a later filter sets, and must not hide the
   * handlers of the others; but one that has a handler for other methods or types of content
   * rejects the request.
   */
  private static Mono<Object> ask(HandlerMapping mapping, TrialExchange trial) {
    return Mono.defer(() -> mapping.getHandler(trial))
        .onErrorResume(
            failure ->
                mapping instanceof RequestMappingInfoHandlerMapping
                        && failure instanceof ErrorResponse
                    ? Mono.error(failure)
                    : Mono.empty());
  }

  /**
   * Reads the limits of the handler that answers an exchange.
   *
   * @param handler found by a mapping, which has set the attributes of the exchange
   * @return empty if WebFlux answers the request itself
   */
  Optional<FoundHandler> found(Object handler, ServerWebExchange trial) {
    if (SpringHandlers.answersOptions(handler)) {
      return answeredByWebFlux(trial);
    }
    SpringHandlers.Handler endpoint = handlers.of(handler);
    String pattern =
        trial.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE)
                instanceof PathPattern matched
            ? matched.getPatternString()
            : "";
    LimitedEndpoint limits = endpoint.limits();
    if (adapter.limitsPaths()) {
      limits = limits.and(handlers.byPath(path(trial)));
    }
    return Optional.of(
        new FoundHandler(
            limits,
            endpoint,
            pattern,
            pattern.isEmpty() ? handlers.nameOfPath(path(trial)) : handlers.nameOfPattern(pattern),
            SpringHandlers.variables(
                trial.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)),
            trial.getResponse().getHeaders(),
            isCertain(trial)));
  }

  private static boolean isCertain(ServerWebExchange exchange) {
    return !(exchange instanceof TrialExchange asked) || asked.isCertain();
  }

  /**
   * Returns the policies of the path of a request that WebFlux answers itself: none, unless it may
   * carry a credential, which a filter may judge.
   */
  private Optional<FoundHandler> answeredByWebFlux(ServerWebExchange exchange) {
    ServerHttpRequest request = exchange.getRequest();
    return RequestValues.mayCarryCredential(
            ExchangeRequest.headerNames(request), request.getURI().getRawQuery())
        ? withoutHandler(exchange)
        : Optional.empty();
  }

  /**
   * Returns the policies of the path of a request that no handler answers. A filter may, such as a
   * sign-in, so that an access list decides it in any case.
   */
  private Optional<FoundHandler> withoutHandler(ServerWebExchange exchange) {
    if (!adapter.limitsPaths() && !adapter.hasAccessList()) {
      return Optional.empty();
    }
    String path = path(exchange);
    LimitedEndpoint byPath = adapter.limitsPaths() ? handlers.byPath(path) : adapter.unlimited();
    return isBound(byPath) || adapter.hasAccessList()
        ? Optional.of(
            new FoundHandler(
                byPath,
                null,
                "",
                handlers.nameOfPath(path),
                Map.of(),
                exchange.getResponse().getHeaders(),
                isCertain(exchange)))
        : Optional.empty();
  }

  private static boolean isBound(LimitedEndpoint endpoint) {
    return Stream.of(DecisionPhase.values()).anyMatch(endpoint::isBound);
  }

  /**
   * Returns the decoded path within the application, without parameters of its segments. A slash
   * within a segment stays encoded: WebFlux leads {@code a%2Fb} elsewhere than {@code a/b}.
   */
  private static String path(ServerWebExchange exchange) {
    StringBuilder path = new StringBuilder();
    for (PathContainer.Element each :
        exchange.getRequest().getPath().pathWithinApplication().elements()) {
      path.append(
          each instanceof PathContainer.PathSegment segment
              ? segment.valueToMatch().replace("/", "%2F")
              : each.value());
    }
    return path.isEmpty() ? "/" : path.toString();
  }
}
