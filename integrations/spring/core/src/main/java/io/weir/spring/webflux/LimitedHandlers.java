package io.weir.spring.webflux;

import io.weir.adapter.LimitedRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Stands before all other handler adapters, so that no handler runs undecided: the filters look it
 * up before the dispatcher does, and other filters may change what mappings go by.
 *
 * <p>Safe for concurrent use.
 */
final class LimitedHandlers implements HandlerAdapter, PriorityOrdered {
  private final WebFluxRateLimitFilter filter;
  private final ApplicationContext context;

  /** The adapters that run handlers, by the context of the dispatcher. */
  private final Map<ApplicationContext, List<HandlerAdapter>> adapters =
      new ConcurrentReferenceHashMap<>();

  LimitedHandlers(WebFluxRateLimitFilter filter, ApplicationContext context) {
    this.filter = filter;
    this.context = context;
  }

  /** Before any other, also before one with the highest precedence. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public boolean supports(Object handler) {
    return true; // which dispatcher asks isn't known yet
  }

  @Override
  public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
    ApplicationContext dispatched = exchange.getApplicationContext();
    ApplicationContext own = dispatched == null ? context : dispatched;
    Optional<HandlerAdapter> runs =
        adapters(own).stream().filter(each -> each.supports(handler)).findFirst();
    if (runs.isEmpty()) {
      return Mono.error(new IllegalStateException("No HandlerAdapter: " + handler));
    }
    @Nullable WebFluxRateLimitFilter decides = filter(exchange, own);
    return decides == null
        ? runs.get().handle(exchange, handler)
        : decides.handle(exchange, handler, runs.get());
  }

  /**
   * Finds the filter that limits a context. A child, such as that of the management port, finds
   * this adapter too, but is limited only where the application has registered filters there.
   */
  private @Nullable WebFluxRateLimitFilter filter(
      ServerWebExchange exchange, ApplicationContext dispatched) {
    if (dispatched == context) {
      return filter;
    }
    return exchange.getAttribute(LimitedRequest.ATTRIBUTE) instanceof LimitedExchange begun
            && begun.owner().limits(dispatched)
        ? begun.owner()
        : null;
  }

  /** Collects the adapters as the dispatcher does. */
  private List<HandlerAdapter> adapters(ApplicationContext dispatched) {
    return adapters.computeIfAbsent(
        dispatched,
        any -> {
          Map<String, HandlerAdapter> all =
              BeanFactoryUtils.beansOfTypeIncludingAncestors(
                  dispatched, HandlerAdapter.class, true, false);
          return all.values().stream()
              .filter(each -> !(each instanceof LimitedHandlers))
              .sorted(AnnotationAwareOrderComparator.INSTANCE)
              .toList();
        });
  }
}
