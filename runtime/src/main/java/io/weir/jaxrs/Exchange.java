package io.weir.jaxrs;

import io.weir.Decision;
import io.weir.guard.CurrentRequest;
import io.weir.guard.EndpointGuard;
import io.weir.guard.GuardedRequest;
import io.weir.guard.Phase;
import io.weir.http.Refusal;
import io.weir.key.RequestInfo;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Method;
import java.util.Optional;

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
  private Optional<RequestInfo> outer = Optional.empty();

  private Exchange(ContainerRequestContext context, JaxrsRequest request) {
    this.context = context;
    this.request = request;
  }

  static void begin(ContainerRequestContext context, JaxrsRequest request) {
    context.setProperty(PROPERTY, new Exchange(context, request));
    CurrentRequest.bind(request, Optional.empty());
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
    GuardedRequest entered = guarded.orElseGet(() -> guard.enter(request));
    guarded = Optional.of(entered);
    CurrentRequest.bind(request, Optional.of(endpoint));
    Optional<Refusal> refusal = entered.decide(phase);
    if (entered.isDecided()) {
      context.setProperty(Decision.class.getName(), entered.decision());
    }
    refusal.map(ProblemDocument::response).ifPresent(context::abortWith);
  }

  /** Lets a thread, perhaps another caller's, write the response of this one. */
  void resume() {
    outer = CurrentRequest.get().filter(each -> !each.equals(request));
    CurrentRequest.bind(request, Optional.empty());
  }

  /** Takes this request off the thread, and gives the thread back to whom it belonged. */
  void leave() {
    if (CurrentRequest.get().filter(request::equals).isPresent()) {
      outer.ifPresentOrElse(
          each -> CurrentRequest.bind(each, Optional.empty()), CurrentRequest::clear);
    }
  }

  /** Without effect after a response. */
  void failed() {
    guarded.ifPresent(GuardedRequest::failed);
  }
}
