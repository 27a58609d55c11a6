package io.weir.quarkus.rest;

import io.vertx.core.Context;
import io.vertx.core.Handler;
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
  private final RestLimits limits;

  FirstPhase(RestLimits limits) {
    this.limits = limits;
  }

  @Override
  public void handle(RoutingContext routing) {
    RestLimits.routedAgain(routing);
    Optional<ResourceLookup.Found> found = lookUp(routing);
    if (found.isEmpty()) {
      routing.next();
      return;
    }
    ExchangeRequest seen = new ExchangeRequest(limits, routing, found.get());
    LimitedExchange exchange = limits.exchange(routing, seen);
    if (!exchange.arrive(found.get().resource(), seen)) {
      routing.next();
      return;
    }
    CompletableFuture<Void> decided = exchange.decide(limits.executor()).toCompletableFuture();
    if (decided.isDone() && !decided.isCompletedExceptionally()) {
      goOn(exchange);
    } else {
      Context loop = routing.vertx().getOrCreateContext();
      CompletionStage<Void> unused =
          decided.whenComplete(
              (any, failure) ->
                  loop.runOnContext(
                      later -> {
                        if (failure == null) {
                          goOn(exchange);
                        } else {
                          routing.fail(failure);
                        }
                      }));
    }
  }

  /** Finds nothing for a path that Quarkus REST can't read either. */
  private Optional<ResourceLookup.Found> lookUp(RoutingContext routing) {
    return RequestValues.read(() -> limits.lookUp(routing)).orElse(Optional.empty());
  }

  private static void goOn(LimitedExchange exchange) {
    @Nullable Refusal refusal = exchange.takeRefusal();
    if (refusal == null) {
      exchange.routing().next();
    } else {
      Refusals.send(refusal, exchange.routing().response());
    }
  }
}
