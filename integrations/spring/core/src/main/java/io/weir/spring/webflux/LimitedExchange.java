package io.weir.spring.webflux;

import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestHolder;
import io.weir.spi.DecisionPhase;
import io.weir.spring.RequestContext;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The limited request of one exchange, which the filters leave to each other as an attribute.
 *
 * <p>Safe for concurrent use, as far as the filters come one after the other.
 */
final class LimitedExchange implements RequestHolder {
  private static final boolean HAS_SECURITY =
      ClassUtils.isPresent(
          "org.springframework.security.core.context.ReactiveSecurityContextHolder",
          LimitedExchange.class.getClassLoader());

  private final WebFluxRateLimitFilter owner;
  private final LimitedRequest request;
  private volatile ExchangeRequest info;
  private final RequestContext context;
  private volatile @Nullable FoundHandler handler;

  /** True once the handler has been started, so that its charges are its own. */
  private volatile boolean running;

  /** The latest decision before the sign-in, for filters that subscribe again; null without one. */
  private volatile @Nullable CompletableFuture<Optional<Refusal>> first;

  /** A refusal that is sent unless another handler turns out to answer; null if there is none. */
  private final AtomicReference<@Nullable Refusal> held = new AtomicReference<>();

  /** The latest decision by user, for the same. */
  private final AtomicReference<@Nullable ByUser> second = new AtomicReference<>();

  /**
   * A decision by user, perhaps not made yet.
   *
   * @param handler what it is about
   * @param user empty if nobody has signed in
   * @param decision the refusal, if there is one
   */
  private record ByUser(
      @Nullable FoundHandler handler,
      Optional<String> user,
      CompletableFuture<Optional<Refusal>> decision) {}

  LimitedExchange(WebFluxRateLimitFilter owner, LimitedRequest request, ExchangeRequest info) {
    this.owner = owner;
    this.request = request;
    this.info = info;
    this.context = new RequestContext(request, this::knowUser);
  }

  @Override
  public LimitedRequest limitedRequest() {
    return request;
  }

  /** Lets calls of filters behind the sign-in know the user; the handler's know it already. */
  private Mono<Void> knowUser(ContextView subscriber) {
    return running || !HAS_SECURITY
        ? Mono.empty()
        : info.nameOf(Security.user(subscriber))
            .filter(Optional::isPresent)
            .doOnNext(info::setUser)
            .then();
  }

  /** Loaded only where Spring Security is present. */
  private static final class Security {
    private Security() {}

    /** Returns whom it has signed in, where no exchange is at hand. */
    static Mono<Authentication> user(ContextView subscriber) {
      return ReactiveSecurityContextHolder.getContext()
          .mapNotNull(SecurityContext::getAuthentication)
          .contextWrite(subscriber);
    }
  }

  /** Returns whether filters of the same context have begun it. */
  boolean isOf(Object filters) {
    return owner == filters;
  }

  WebFluxRateLimitFilter owner() {
    return owner;
  }

  RequestContext context() {
    return context;
  }

  ExchangeRequest info() {
    return info;
  }

  /** Returns the handler; null if there is none that could be limited. */
  @Nullable FoundHandler handler() {
    return handler;
  }

  /** Holds a refusal back if filters may still choose another handler. */
  boolean hold(Refusal refusal) {
    FoundHandler found = handler;
    boolean holds = found != null && !found.isCertain();
    if (holds) {
      held.set(refusal);
    }
    return holds;
  }

  boolean isHeld() {
    return held.get() != null;
  }

  /** Returns the refusal that is held, which isn't any more then. */
  Optional<Refusal> takeHeld() {
    return Optional.ofNullable(held.getAndSet(null));
  }

  /** Returns whether a mapping has found a handler, which decides its policies before it runs. */
  boolean hasHandler() {
    FoundHandler found = handler;
    return found != null && found.handler() != null;
  }

  /** Moves the request to its handler, if there is one. */
  void moveTo(Optional<FoundHandler> found, ExchangeRequest seen) {
    info = seen;
    if (found.isPresent()) {
      handler = found.get();
      seen.setHandler(found.get());
      request.moveTo(found.get().endpoint(), seen);
    } else {
      handler = null;
    }
  }

  /**
   * Moves the request to the handler that answers it, in place of one that was found before. What
   * was decided for that one alone is refunded, unless it has run.
   *
   * @param nothing the endpoint that no policy limits, for a handler of WebFlux itself
   */
  void correct(Optional<FoundHandler> found, ExchangeRequest seen, LimitedEndpoint nothing) {
    FoundHandler before = handler;
    moveTo(found, seen);
    if (found.isEmpty()) {
      request.moveTo(nothing, seen);
    }
    if (running) {
      request.keep();
      running = false;
    } else {
      request.correct(before == null ? nothing : before.endpoint());
    }
  }

  boolean decides(DecisionPhase phase) {
    FoundHandler found = handler;
    return found != null && found.endpoint().decides(phase);
  }

  /** Decides a phase, and goes on in the event loop of the connection. */
  Mono<Optional<Refusal>> decide(DecisionPhase phase, Executor executor) {
    CompletableFuture<Optional<Refusal>> decided = new CompletableFuture<>();
    if (phase == DecisionPhase.BEFORE_AUTHENTICATION) {
      first = decided; // at first: another thread may subscribe again meanwhile
    }
    if (decides(phase)) {
      var unused = request.decideAsync(phase, executor).thenAccept(decided::complete);
    } else {
      decided.complete(Optional.empty());
    }
    return outcome(decided);
  }

  /**
   * Decides by user. A filter that subscribes again gets the same decision, unless the user or the
   * handler is another one.
   */
  Mono<Optional<Refusal>> decideByUser(Optional<String> user, Executor executor) {
    FoundHandler found = handler;
    ByUser known = second.get();
    if (known != null && known.user.equals(user) && Objects.equals(known.handler, found)) {
      return outcome(known.decision);
    }
    ByUser asked = new ByUser(found, user, new CompletableFuture<>());
    if (!second.compareAndSet(known, asked)) { // another thread asks for the same at this moment
      return decideByUser(user, executor);
    }
    info.setUser(user);
    var unused =
        request
            .decideAsync(DecisionPhase.AFTER_AUTHENTICATION, executor)
            .thenAccept(asked.decision::complete);
    return outcome(asked.decision);
  }

  /**
   * Returns the decision before the sign-in again, perhaps after waiting for it.
   *
   * @return null if the handler wasn't looked up yet
   */
  @Nullable Mono<Optional<Refusal>> decidedBefore() {
    CompletableFuture<Optional<Refusal>> known = first;
    return known == null ? null : outcome(known);
  }

  private Mono<Optional<Refusal>> outcome(CompletableFuture<Optional<Refusal>> decided) {
    return decided.isDone()
        ? Mono.just(decided.join())
        : Mono.fromFuture(decided, true).publishOn(ConnectionPeer.eventLoop(info.arrived()));
  }

  /** Notes that the handler is about to run, with its policies decided. */
  void runs() {
    FoundHandler found = handler;
    context.decided(found == null ? null : found.method());
    running = true;
  }

  /** Shows the body to whoever gets the exchange next as if nobody had read it for policies. */
  ServerWebExchange unread(ServerWebExchange passed) {
    return info.unread(passed);
  }

  /** Notes that the exchange has ended, whether a response was sent or not. */
  void end() {
    info.end();
  }

  /** Writes the fields that report the caller's limits. */
  void writeFields(HttpHeaders headers) {
    request.headers().forEach(each -> headers.set(each.name(), each.value()));
  }

  /** Returns whether the handler was looked up for this request, and no filter has changed it. */
  boolean isAbout(ServerHttpRequest current) {
    return info.request() == withoutFirewall(current);
  }

  /**
   * Unwraps a request from what Spring Security puts around each. That changes nothing that
   * mappings go by.
   */
  private static ServerHttpRequest withoutFirewall(ServerHttpRequest request) {
    ServerHttpRequest each = request;
    while (each instanceof ServerHttpRequestDecorator decorator
        && each.getClass().getName().startsWith("org.springframework.security.")) {
      each = decorator.getDelegate();
    }
    return each;
  }

  /** Returns whether a request that a filter has changed is answered by the same handler still. */
  boolean isHandledBy(Optional<FoundHandler> found, ServerHttpRequest current) {
    FoundHandler known = handler;
    return (known == null ? found.isEmpty() : found.isPresent() && known.isSameAs(found.get()))
        && isSentAs(current);
  }

  /** Returns whether the request still has the method and the path that it was decided with. */
  private boolean isSentAs(ServerHttpRequest current) {
    ServerHttpRequest asked = info.request();
    return asked.getMethod().equals(current.getMethod())
        && asked.getURI().equals(current.getURI())
        && contextPath(asked).equals(contextPath(current));
  }

  private static String contextPath(ServerHttpRequest request) {
    return request.getPath().contextPath().value();
  }
}
