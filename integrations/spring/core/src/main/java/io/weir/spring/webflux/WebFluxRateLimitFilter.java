package io.weir.spring.webflux;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.spi.DecisionPhase;
import io.weir.spring.RequestContext;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Limits the handlers of WebFlux. Finds the handler before the dispatcher does, and decides the
 * policies that need no user. Those by user are decided by another filter, {@link #afterSignIn()}.
 * In between stands Spring Security, if the application has it: so the requests that it rejects
 * count. Never blocks the thread of a request.
 *
 * <p>The starters register both. Register them yourself only in a child context with a server of
 * its own, such as that of the management port, which otherwise isn't limited.
 *
 * <p>Safe for concurrent use.
 */
public final class WebFluxRateLimitFilter implements WebFilter, Ordered {
  /** Right before the filters of Spring Security, which are at -100. */
  public static final int ORDER = -102;

  private final Adapter adapter;
  private final ApplicationContext context;
  private final HandlerLookup handlers;
  private final WebFilter second = new AfterSignIn();

  /** Runs the parts of the application, which may block. */
  private final Executor executor;

  private volatile @Nullable Boolean hasFiltersBetween;

  /**
   * Limits the handlers of one context.
   *
   * @param adapter the application's
   * @param context the context with the handler mappings; requests of other contexts pass
   */
  public WebFluxRateLimitFilter(Adapter adapter, ApplicationContext context) {
    this.adapter = adapter;
    this.context = context;
    this.handlers = new HandlerLookup(adapter, context);
    this.executor =
        adapter.callsApplication() ? WebFluxRateLimitFilter::runElsewhere : Runnable::run;
  }

  private static void runElsewhere(Runnable task) {
    var unused = Schedulers.boundedElastic().schedule(task);
  }

  /**
   * Returns the filter that decides the policies by user.
   *
   * @return the last of all filters, always the same
   */
  public WebFilter afterSignIn() {
    return second;
  }

  /**
   * Validates the annotations of all handlers, and lets refusals pass the exception handlers of
   * their controllers.
   *
   * @throws io.weir.InvalidPolicyException if there are mistakes; the message lists all
   */
  void start(Iterable<RequestMappingHandlerAdapter> invokers) {
    handlers.check();
    for (RequestMappingHandlerAdapter each : invokers) {
      RefusalsPass installed = RefusalsPass.install(each);
      if (installed != null) {
        handlers.handlerMethods().forEach(method -> installed.controller(method.getBeanType()));
      }
    }
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (exchange.getApplicationContext() != context) {
      return chain.filter(exchange); // such as that of the management port
    }
    @Nullable Object left = exchange.getAttribute(LimitedRequest.ATTRIBUTE);
    if (left instanceof LimitedExchange begun && begun.isOf(this)) {
      return goOn(exchange, chain, begun); // a filter has subscribed again
    }
    ServerWebExchange watched = watched(exchange);
    LimitedExchange begun = begin(watched, left);
    exchange.getAttributes().put(LimitedRequest.ATTRIBUTE, begun);
    return goOn(watched, chain, begun);
  }

  /**
   * Watches the response here if nothing does yet, for a server that Spring Boot has not assembled.
   */
  private static ServerWebExchange watched(ServerWebExchange exchange) {
    ServerHttpResponse response = exchange.getResponse();
    return WatchedResponse.in(response) == null
        ? exchange.mutate().response(WatchedResponse.of(exchange.getRequest(), response)).build()
        : exchange;
  }

  private LimitedExchange begin(ServerWebExchange exchange, @Nullable Object left) {
    WatchedResponse response =
        Objects.requireNonNull(WatchedResponse.in(exchange.getResponse()), "not watched");
    ExchangeRequest seen = new ExchangeRequest(adapter, response.arrived(), exchange.getRequest());
    LimitedRequest request = adapter.begin(seen, left);
    request.countInFlight();
    response.end(request);
    LimitedExchange begun = new LimitedExchange(this, request, seen);
    exchange
        .getResponse()
        .beforeCommit(
            () -> {
              begun.writeFields(exchange.getResponse().getHeaders());
              return Mono.empty();
            });
    return begun;
  }

  private Mono<Void> goOn(ServerWebExchange exchange, WebFilterChain chain, LimitedExchange begun) {
    Mono<Optional<Refusal>> known = begun.decidedBefore();
    return (known == null ? decide(exchange, begun) : known)
        .flatMap(
            refusal ->
                refusal.isPresent()
                    ? RefusalWriter.refuse(exchange, begun, refusal.get())
                    : chain.filter(exchange))
        .onErrorResume(thrown -> RefusalWriter.answer(exchange, begun, thrown))
        .contextWrite(before -> before.put(RequestContext.KEY, begun.context()));
  }

  private Mono<Optional<Refusal>> decide(ServerWebExchange exchange, LimitedExchange begun) {
    return handlers
        .find(exchange)
        .flatMap(
            found -> {
              begun.moveTo(found, begun.info());
              return begun.decide(DecisionPhase.BEFORE_AUTHENTICATION, executor);
            });
  }

  /** Returns whether the first phase admits a request to code of filters before the second. */
  private boolean hasFiltersBetween() {
    Boolean known = hasFiltersBetween;
    if (known == null) {
      List<WebFilter> all = context.getBeanProvider(WebFilter.class).orderedStream().toList();
      int first = all.indexOf(this);
      known = first < 0 || all.indexOf(second) != first + 1;
      hasFiltersBetween = known;
    }
    return known;
  }

  /** Decides by user, and binds the request to the threads in which the handler works. */
  private final class AfterSignIn implements WebFilter, Ordered {
    /** After all filters that could sign a user in. */
    @Override
    public int getOrder() {
      return LOWEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      @Nullable Object left = exchange.getAttribute(LimitedRequest.ATTRIBUTE);
      if (!(left instanceof LimitedExchange begun) || !begun.isOf(WebFluxRateLimitFilter.this)) {
        return chain.filter(exchange);
      }
      return decide(exchange, begun)
          .flatMap(
              refusal ->
                  refusal.isPresent()
                      ? RefusalWriter.refuse(exchange, begun, refusal.get())
                      : handle(exchange, chain, begun));
    }

    private Mono<Optional<Refusal>> decide(ServerWebExchange exchange, LimitedExchange begun) {
      if (begun.isAbout(exchange.getRequest())) {
        return decideByUser(exchange, begun);
      }
      // A filter has changed the request, so another handler may answer: mappings also go by
      // header fields.
      ExchangeRequest seen = begun.info().of(exchange.getRequest());
      return handlers
          .find(exchange)
          .flatMap(
              found -> {
                if (begun.isHandledBy(found, exchange.getRequest())) {
                  return Mono.just(Optional.<Refusal>empty());
                }
                begun.moveTo(found, seen);
                return begun.decide(DecisionPhase.BEFORE_AUTHENTICATION, executor);
              })
          .flatMap(
              refusal -> refusal.isPresent() ? Mono.just(refusal) : decideByUser(exchange, begun));
    }

    private Mono<Optional<Refusal>> decideByUser(
        ServerWebExchange exchange, LimitedExchange begun) {
      if (!begun.decides(DecisionPhase.AFTER_AUTHENTICATION)) {
        return Mono.just(Optional.empty());
      }
      if (hasFiltersBetween()) {
        begun.limitedRequest().keep();
      }
      return SignedInUser.of(exchange, begun.info())
          .flatMap(name -> begun.decideByUser(name, executor));
    }

    private Mono<Void> handle(
        ServerWebExchange exchange, WebFilterChain chain, LimitedExchange begun) {
      begun.decided();
      return BoundRequest.handled(
              chain.filter(BoundRequest.exchange(exchange, begun.context())), begun.context())
          .onErrorResume(thrown -> RefusalWriter.answer(exchange, begun, thrown));
    }
  }
}
