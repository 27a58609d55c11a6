package io.weir.spring.webflux;

import io.weir.spring.CoroutineCaller;
import io.weir.spring.RequestContext;
import io.weir.spring.SuspendFunctions;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.flow.Flow;
import org.jspecify.annotations.Nullable;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.CoWebFilter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Lets the coroutine of a handler know its request. Loaded only where the application has
 * coroutines.
 */
final class HandlerCoroutine {
  private static final String CONTEXT = CoWebFilter.COROUTINE_CONTEXT_ATTRIBUTE;

  private HandlerCoroutine() {}

  /**
   * Returns whether a handler may be a coroutine or return a flow: of an annotated one its method
   * says so.
   */
  static boolean mayRun(Object handler) {
    if (!(handler instanceof HandlerMethod annotated)) {
      return true; // such as a function of a coRouter
    }
    Class<?> result = annotated.getMethod().getReturnType();
    return SuspendFunctions.canCall(annotated.getMethod())
        || Flow.class.isAssignableFrom(result)
        || result == Object.class;
  }

  /** Calls a handler with the request in its coroutine's context, and in that of a flow. */
  static Mono<HandlerResult> of(
      Mono<HandlerResult> handler, ServerWebExchange exchange, RequestContext request) {
    return Mono.defer(
        () -> {
          @Nullable CoroutineContext context =
              CoroutineCaller.context(exchange.getAttribute(CONTEXT), request);
          if (context != null) {
            exchange.getAttributes().put(CONTEXT, context);
          }
          return handler.map(result -> bound(result, request));
        });
  }

  private static HandlerResult bound(HandlerResult result, RequestContext request) {
    return result.getReturnValue() instanceof Flow<?> flow
        ? new HandlerResult(
                result.getHandler(),
                CoroutineCaller.flow(flow, request),
                result.getReturnTypeSource(),
                result.getBindingContext())
            .setExceptionHandler(result.getExceptionHandler())
        : result;
  }
}
