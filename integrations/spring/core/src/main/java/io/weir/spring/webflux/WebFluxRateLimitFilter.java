package io.weir.spring.webflux;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.spi.DecisionPhase;
import io.weir.spring.RequestContext;
import io.weir.spring.SuspendFunctions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Limits the handlers of WebFlux. Finds the handler before the dispatcher does, and decides the
 * policies that need no user. Those by user are decided when the dispatcher has found the handler,
 * and so is whatever it finds otherwise; where there is none, by another filter, {@link
 * #afterSignIn()}. In between stands Spring Security, if the application has it: so the requests
 * that it rejects count. Never blocks the thread of a request.
 *
 * <p>The starters register both. Register them yourself only in a child context with a server of
 * its own, such as that of the management port, which otherwise isn't limited.
 *
 * <p>Safe for concurrent use.
 */
public final class WebFluxRateLimitFilter implements WebFilter, Ordered {
  /** Right before the filters of Spring Security, which are at -100. */
  public static final int ORDER = -102;

  private static final String SECURITY = "org.springframework.security.";

  private final Adapter adapter;
  private final ApplicationContext context;
  private final HandlerLookup handlers;
  private final WebFilter second = new AfterSignIn();

  /** Runs the parts of the application, which may block. */
  private final Executor executor;

  private volatile @Nullable Between between;

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
   * Returns the filter that decides the policies by user of requests without a handler.
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
    @Nullable WatchedResponse response = WatchedResponse.in(exchange.getResponse());
    ExchangeRequest seen =
        new ExchangeRequest(
            adapter,
            response == null ? exchange.getRequest() : response.arrived(),
            exchange,
            this::codecs);
    LimitedRequest request = adapter.begin(seen, left);
    request.countInFlight();
    if (response == null) {
      WatchedResponse.endOnCommit(exchange.getResponse(), request);
    } else {
      response.end(request);
    }
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

  /** Returns the codecs with which the application reads forms. */
  private ServerCodecConfigurer codecs() {
    String name = WebHttpHandlerBuilder.SERVER_CODEC_CONFIGURER_BEAN_NAME;
    return context.containsBean(name)
        ? context.getBean(name, ServerCodecConfigurer.class)
        : ServerCodecConfigurer.create();
  }

  private Mono<Void> goOn(ServerWebExchange exchange, WebFilterChain chain, LimitedExchange begun) {
    Mono<Optional<Refusal>> known = begun.decidedBefore();
    return (known == null ? decide(exchange, begun) : known)
        .flatMap(
            refusal ->
                refusal.isPresent()
                    ? refuse(exchange, chain, begun, refusal.get())
                    : chain.filter(begun.unread(exchange)))
        .onErrorResume(thrown -> RefusalWriter.answer(exchange, begun, thrown))
        .doFinally(signal -> begun.end())
        .contextWrite(before -> before.put(RequestContext.KEY, begun.context()));
  }

  /**
   * Sends a refusal of the first phase. It may be that of another handler where mappings go by what
   * filters set later: then it is held until the handler is known, unless Spring Security would
   * check a password meanwhile.
   */
  private Mono<Void> refuse(
      ServerWebExchange exchange, WebFilterChain chain, LimitedExchange begun, Refusal refusal) {
    if (between().signsIn() || !begun.hold(refusal)) {
      return RefusalWriter.refuse(exchange, begun, refusal);
    }
    return chain
        .filter(HeldResponse.of(begun.unread(exchange), begun))
        .onErrorResume(
            thrown -> begun.isHeld() ? Mono.empty() : Mono.error(thrown)) // it is sent in any case
        .then(Mono.defer(() -> HeldResponse.send(exchange, begun)));
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

  /** Returns what stands between the two filters. */
  private Between between() {
    Between known = between;
    if (known == null) {
      List<WebFilter> all = context.getBeanProvider(WebFilter.class).orderedStream().toList();
      int first = all.indexOf(this);
      known =
          new Between(
              first < 0 || all.indexOf(second) != first + 1,
              all.stream().anyMatch(each -> each.getClass().getName().startsWith(SECURITY)));
      between = known;
    }
    return known;
  }

  /**
   * The filters between the two of Weir.
   *
   * @param any whether the first phase admits a request to code of filters before the second
   * @param signsIn whether Spring Security is one of them
   */
  private record Between(boolean any, boolean signsIn) {}

  /** Returns whether this limits the handlers of a context. */
  boolean limits(ApplicationContext other) {
    return context == other;
  }

  /**
   * Runs a handler that the dispatcher has found, once its policies have been decided: those before
   * the sign-in too, unless the same was found and decided then.
   *
   * @param runs calls it
   * @return empty if it is refused
   */
  Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler, HandlerAdapter runs) {
    LimitedExchange begun = begun(exchange);
    return decide(exchange, handlers.found(handler, exchange), begun)
        .flatMap(
            refusal ->
                refusal.isPresent()
                    ? RefusalWriter.refuse(exchange, begun, refusal.get()).then(Mono.empty())
                    : run(exchange, handler, begun, runs));
  }

  /** Begins the request here if a filter before Weir's has called the dispatcher. */
  private LimitedExchange begun(ServerWebExchange exchange) {
    @Nullable Object left = exchange.getAttribute(LimitedRequest.ATTRIBUTE);
    if (left instanceof LimitedExchange begun && begun.isOf(this)) {
      return begun;
    }
    LimitedExchange made = begin(exchange, left);
    exchange.getAttributes().put(LimitedRequest.ATTRIBUTE, made);
    return made;
  }

  private Mono<Optional<Refusal>> decide(
      ServerWebExchange exchange, Optional<FoundHandler> found, LimitedExchange begun) {
    Optional<Refusal> held = begun.takeHeld();
    if (begun.isHandledBy(found, exchange.getRequest())) {
      return held.isPresent() ? Mono.just(held) : decideByUser(exchange, begun);
    }
    return correct(exchange, found, begun)
        .then(Mono.defer(() -> begun.decide(DecisionPhase.BEFORE_AUTHENTICATION, executor)))
        .flatMap(
            refusal -> refusal.isPresent() ? Mono.just(refusal) : decideByUser(exchange, begun));
  }

  /** Corrects what was decided, elsewhere if that asks resolvers of the application. */
  private Mono<Void> correct(
      ServerWebExchange exchange, Optional<FoundHandler> found, LimitedExchange begun) {
    ExchangeRequest seen = begun.info().of(exchange);
    Mono<Void> corrected = Mono.fromRunnable(() -> begun.correct(found, seen, adapter.unlimited()));
    return adapter.callsApplication()
        ? corrected
            .subscribeOn(Schedulers.boundedElastic())
            .publishOn(ConnectionPeer.eventLoop(seen.arrived()))
        : corrected;
  }

  /** Reads the user too where only beans that the handler calls may need it. */
  private Mono<Optional<Refusal>> decideByUser(ServerWebExchange exchange, LimitedExchange begun) {
    boolean decides = begun.decides(DecisionPhase.AFTER_AUTHENTICATION);
    if (!decides && !adapter.limitsCalls()) {
      return Mono.just(Optional.empty());
    }
    if (decides && between().any()) {
      begun.limitedRequest().keep();
    }
    begun.info().arriveAs(exchange);
    return begun
        .info()
        .nameOf(exchange.getPrincipal())
        .flatMap(
            name -> {
              if (decides) {
                return begun.decideByUser(name, executor);
              }
              begun.info().setUser(name);
              return Mono.just(Optional.empty());
            });
  }

  private static Mono<HandlerResult> run(
      ServerWebExchange exchange, Object handler, LimitedExchange begun, HandlerAdapter runs) {
    begun.runs();
    ServerWebExchange bound = BoundRequest.exchange(begun.unread(exchange), begun.context());
    Mono<HandlerResult> result =
        BoundRequest.handled(Mono.defer(() -> runs.handle(bound, handler)), begun.context());
    return SuspendFunctions.areCallable() && HandlerCoroutine.mayRun(handler)
        ? HandlerCoroutine.of(result, bound, begun.context())
        : result;
  }

  /**
   * Decides by user where no handler is known that could do so, and binds the request to the
   * threads in which the dispatcher works.
   */
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
        return begun.hasHandler()
                || begun.isHeld()
                || !begun.decides(DecisionPhase.AFTER_AUTHENTICATION)
            ? Mono.just(Optional.empty())
            : decideByUser(exchange, begun);
      }
      // A filter has changed the request.
      return handlers
          .find(exchange)
          .flatMap(
              found ->
                  found.isPresent() && found.get().handler() != null
                      ? Mono.just(Optional.empty())
                      : WebFluxRateLimitFilter.this.decide(exchange, found, begun));
    }

    private Mono<Void> handle(
        ServerWebExchange exchange, WebFilterChain chain, LimitedExchange begun) {
      return BoundRequest.handled(
              chain.filter(BoundRequest.exchange(begun.unread(exchange), begun.context())),
              begun.context())
          .onErrorResume(thrown -> RefusalWriter.answer(exchange, begun, thrown));
    }
  }
}
