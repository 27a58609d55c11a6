package io.weir.jaxrs;

import io.weir.Decision;
import io.weir.guard.CurrentRequest;
import io.weir.guard.EndpointGuard;
import io.weir.guard.GuardedRequest;
import io.weir.guard.Phase;
import io.weir.http.Refusal;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through the filters.
 *
 * <p>Confine to one thread at a time.
 */
final class Exchange {
  private static final String PROPERTY = Exchange.class.getName();

  private final ContainerRequestContext context;
  private final JaxrsRequest request;
  private Optional<GuardedRequest> guarded = Optional.empty();
  private Optional<CurrentRequest> outer = Optional.empty();

  private Exchange(ContainerRequestContext context, JaxrsRequest request) {
    this.context = context;
    this.request = request;
  }

  static void begin(ContainerRequestContext context, JaxrsRequest request) {
    Exchange exchange = new Exchange(context, request);
    context.setProperty(PROPERTY, exchange);
    // One of this kind is left from a request that failed in this thread, and ends here.
    boolean within =
        CurrentRequest.get().filter(each -> !(each instanceof JaxrsRequest)).isPresent();
    Optional<CurrentRequest> former = CurrentRequest.bind(request, Optional.empty());
    exchange.outer = former.filter(any -> within);
  }

  /** Nothing if the request matched no resource method. */
  static Optional<Exchange> of(ContainerRequestContext context) {
    return Optional.ofNullable((Exchange) context.getProperty(PROPERTY));
  }

  JaxrsRequest request() {
    return request;
  }

  Optional<GuardedRequest> guarded() {
    return guarded;
  }

  /** Decides a phase, and aborts the request if it is refused. */
  void decide(Phase phase, EndpointGuard guard, Method endpoint) {
    request.answeredBy(endpoint);
    GuardedRequest entered = guarded.orElseGet(() -> guard.enter(request, begun()));
    guarded = Optional.of(entered);
    CurrentRequest.bind(request, Optional.of(endpoint));
    Optional<Refusal> refusal = entered.decide(phase);
    if (entered.isDecided()) {
      context.setProperty(Decision.class.getName(), entered.decision());
    }
    refusal.map(ProblemDocument::response).ifPresent(context::abortWith);
  }

  /** What a filter for servlets has left, which has decided by the path perhaps. */
  private @Nullable Object begun() {
    return context.getProperty(GuardedRequest.ATTRIBUTE);
  }

  /** Lets a thread, perhaps another caller's, write the response of this one. */
  void resume() {
    if (!CurrentRequest.is(request)) {
      outer = CurrentRequest.bind(request, Optional.empty());
    }
  }

  /** Takes this request off the thread, and gives the thread back to whom it belonged. */
  void leave() {
    if (CurrentRequest.is(request)) {
      CurrentRequest.restore(outer);
    }
  }

  /** Without effect after a response. */
  void failed() {
    guarded.ifPresent(GuardedRequest::failed);
  }
}
