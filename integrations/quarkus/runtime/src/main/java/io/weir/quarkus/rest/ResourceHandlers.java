package io.weir.quarkus.rest;

import io.quarkus.arc.Arc;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jboss.resteasy.reactive.common.model.ResourceClass;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.model.HandlerChainCustomizer;
import org.jboss.resteasy.reactive.server.model.ServerResourceMethod;
import org.jboss.resteasy.reactive.server.spi.ServerRestHandler;
import org.jspecify.annotations.Nullable;

/**
 * Puts Weir's handlers into the chain of each resource method: every call of the method is decided
 * there, whatever has happened before.
 *
 * <p>Immutable.
 */
public final class ResourceHandlers implements HandlerChainCustomizer {
  /** Called by Quarkus. */
  public ResourceHandlers() {}

  @Override
  public List<ServerRestHandler> handlers(
      Phase phase, @Nullable ResourceClass type, @Nullable ServerResourceMethod method) {
    if (type == null || method == null) {
      return List.of();
    }
    return switch (phase) {
      case AFTER_MATCH -> of(type, method, Matched::new, new Refuse());
      case BEFORE_METHOD_INVOKE -> of(type, method, Decide::new, new Enter());
      case AFTER_METHOD_INVOKE -> List.of(new Leave());
      default -> List.of();
    };
  }

  /** Makes a handler of one resource method. */
  private interface Maker {
    ServerRestHandler of(RestLimits limits, LimitedResource resource);
  }

  private static List<ServerRestHandler> of(
      ResourceClass type, ServerResourceMethod method, Maker maker, ServerRestHandler second) {
    RestLimits limits = Arc.container().instance(RestLimits.class).get();
    LimitedResource resource = limits.add(type, method);
    return resource == null ? List.of() : List.of(maker.of(limits, resource), second);
  }

  /** Has the chain wait for a step, such as a decision, but no thread. */
  static void await(ResteasyReactiveRequestContext rest, CompletableFuture<Void> step) {
    if (step.isDone() && !step.isCompletedExceptionally()) {
      return;
    }
    rest.suspend();
    CompletionStage<Void> unused =
        step.whenComplete(
            (any, failure) -> {
              if (failure == null) {
                rest.resume();
              } else {
                rest.resume(cause(failure));
              }
            });
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Decides what needs no user, unless the filter has done so. */
  private record Matched(RestLimits limits, LimitedResource resource) implements ServerRestHandler {
    @Override
    public void handle(ResteasyReactiveRequestContext rest) {
      if (!limits.isIdle()) {
        await(rest, SafeStep.run(() -> decide(rest)));
      }
    }

    private CompletionStage<Void> decide(ResteasyReactiveRequestContext rest) {
      RoutingContext routing = RestLimits.routing(rest);
      ExchangeRequest seen =
          new ExchangeRequest(limits, routing, resource, new RestView(rest, routing));
      LimitedExchange exchange = limits.exchange(routing, seen);
      return exchange.arrive(resource, seen)
          ? exchange.decide(limits.executor())
          : CompletableFuture.completedFuture(null);
    }
  }

  /** Answers in place of the resource if that is refused. */
  private static final class Refuse implements ServerRestHandler {
    @Override
    public void handle(ResteasyReactiveRequestContext rest) {
      LimitedExchange exchange = RestLimits.of(rest);
      var refusal = exchange == null ? null : exchange.takeRefusal();
      if (refusal != null) {
        rest.abortWith(Refusals.response(refusal));
      } else if (exchange != null) {
        exchange.showBody();
      }
    }
  }

  /** Decides by user, unless the last request filter has done so. */
  private record Decide(RestLimits limits, LimitedResource resource) implements ServerRestHandler {
    @Override
    public void handle(ResteasyReactiveRequestContext rest) {
      LimitedExchange exchange = RestLimits.of(rest);
      if (exchange != null && exchange.isOpen(resource)) {
        await(rest, SafeStep.run(() -> exchange.decideByUser(false, limits.executor())));
      }
    }
  }

  /** Lets the resource run, which knows its caller, unless it is refused. */
  private static final class Enter implements ServerRestHandler {
    @Override
    public void handle(ResteasyReactiveRequestContext rest) {
      LimitedExchange exchange = RestLimits.of(rest);
      if (exchange == null) {
        return;
      }
      var refusal = exchange.takeRefusal();
      if (refusal == null) {
        exchange.enter();
      } else {
        rest.abortWith(Refusals.response(refusal));
      }
    }
  }

  /** Forgets the caller in the thread in which the resource has run, or has thrown an exception. */
  public static final class Leave implements ServerRestHandler {
    /** Called by Quarkus. */
    public Leave() {}

    @Override
    public void handle(ResteasyReactiveRequestContext rest) {
      LimitedExchange exchange = RestLimits.of(rest);
      if (exchange != null) {
        exchange.leave();
      }
    }
  }
}
