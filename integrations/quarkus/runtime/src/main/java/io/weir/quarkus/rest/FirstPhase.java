package io.weir.quarkus.rest;

import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.Refusal;
import io.weir.adapter.RequestValues;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides what needs no user, before Quarkus Security reads a credential: so requests that it
 * rejects count. The body stays unread meanwhile, since Quarkus has paused the request.
 *
 * <p>Safe for concurrent use.
 */
final class FirstPhase implements Handler<RoutingContext> {
  private final ResourceLimits limits;

  FirstPhase(ResourceLimits limits) {
    this.limits = limits;
  }

  @Override
  public void handle(RoutingContext routing) {
    if (limits.isIdle()) {
      routing.next();
      return;
    }
    ResourceLimits.routedAgain(routing);
    CompletableFuture<Void> decided = SafeStep.run(() -> decide(routing));
    if (decided.isDone()) {
      goOn(routing);
    } else {
      Context loop = routing.vertx().getOrCreateContext();
      var unused = decided.thenRun(() -> loop.runOnContext(later -> goOn(routing)));
    }
  }

  private CompletionStage<Void> decide(RoutingContext routing) {
    Optional<FoundResource> found = lookUp(routing);
    if (found.isPresent()) {
      LimitedResource resource = found.get().resource();
      ExchangeRequest seen =
          new ExchangeRequest(
              limits, routing, resource, new ArrivedView(routing, found.get().variables()));
      LimitedExchange exchange = limits.exchange(routing, seen);
      if (exchange.arrive(resource, seen)) {
        return exchange.decide(limits.executor());
      }
    }
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Returns whether a refusal has to wait until filters have perhaps made another request of this
   * one. Not with a credential: it would be checked, and a refused caller could tell if it is
   * valid.
   */
  private boolean mayBeOfAnother(HttpServerRequest request) {
    return limits.mayRewrite()
        && !RequestValues.mayCarryCredential(request.headers().names(), request.query());
  }

  /** Finds nothing for a path that JAX-RS can't read either. */
  private Optional<FoundResource> lookUp(RoutingContext routing) {
    return RequestValues.read(() -> limits.lookUp(routing)).orElse(Optional.empty());
  }

  private void goOn(RoutingContext routing) {
    LimitedExchange exchange = ResourceLimits.begun(routing);
    @Nullable Refusal refusal =
        exchange == null || mayBeOfAnother(routing.request()) ? null : exchange.takeRefusal();
    if (refusal == null) {
      routing.next();
    } else {
      Refusals.send(refusal, routing.response());
    }
  }
}
