package io.weir.quarkus.rest;

import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.Refusal;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jboss.resteasy.core.ResteasyContext;
import org.jboss.resteasy.plugins.server.Cleanables;
import org.jspecify.annotations.Nullable;

/** The filters of one resource method of RESTEasy Classic, which runs them in worker threads. */
final class ClassicFilters {
  private ClassicFilters() {}

  /** Decides what needs no user before all other filters, unless it was before the sign-in. */
  record Arrive(ClassicLimits limits, LimitedResource resource) implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      if (limits.isIdle()) {
        return;
      }
      SafeStep.run(() -> decide(context)).join();
      refuse(context, begun());
    }

    private CompletionStage<Void> decide(ContainerRequestContext context) {
      RoutingContext routing = ResteasyContext.getRequiredContextData(RoutingContext.class);
      ExchangeRequest seen =
          new ExchangeRequest(limits, routing, resource, new ClassicView(context, routing));
      LimitedExchange exchange = limits.exchange(routing, seen);
      return exchange.arrive(resource, seen)
          ? exchange.decide(limits.executor())
          : CompletableFuture.completedFuture(null);
    }
  }

  /** Decides by user after all other filters, and lets the resource run, which knows its caller. */
  record Enter(ClassicLimits limits) implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      LimitedExchange exchange = begun();
      if (exchange == null) {
        return;
      }
      SafeStep.run(() -> exchange.decideByUser(false, limits.executor())).join();
      if (!refuse(context, exchange)) {
        exchange.enter();
        @Nullable Cleanables cleanables = ResteasyContext.getContextData(Cleanables.class);
        if (cleanables != null) {
          cleanables.addCleanable(exchange::leave);
        }
      }
    }
  }

  /** Returns the request of this thread; null if it has not begun. */
  static @Nullable LimitedExchange begun() {
    @Nullable RoutingContext routing = ResteasyContext.getContextData(RoutingContext.class);
    return routing == null ? null : ResourceLimits.begun(routing);
  }

  private static boolean refuse(
      ContainerRequestContext context, @Nullable LimitedExchange exchange) {
    @Nullable Refusal refusal = exchange == null ? null : exchange.takeRefusal();
    if (refusal != null) {
      context.abortWith(Refusals.response(refusal));
    }
    return refusal != null;
  }
}
