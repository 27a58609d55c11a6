package io.weir.quarkus.rest;

import io.quarkus.runtime.ExecutorRecorder;
import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.adapter.Refusal;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.AsyncExceptionMapperContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveAsyncExceptionMapper;

/**
 * Answers requests by the refusal of a limited call that the resource has made. To make it may take
 * a call to the store, so another thread does it.
 *
 * @param <E> what such a call throws
 */
abstract class LimitedCallMapper<E extends Throwable>
    implements ResteasyReactiveAsyncExceptionMapper<E> {
  private final RestLimits limits;

  LimitedCallMapper(RestLimits limits) {
    this.limits = limits;
  }

  @Override
  public final void asyncResponse(E thrown, AsyncExceptionMapperContext context) {
    ResteasyReactiveRequestContext rest =
        (ResteasyReactiveRequestContext) context.serverRequestContext();
    context.suspend();
    try {
      ExecutorRecorder.getCurrent().execute(() -> answer(context, () -> response(thrown, rest)));
    } catch (RejectedExecutionException ending) {
      answer(context, () -> Refusals.response(outsideOfLimits(thrown)));
    }
  }

  /** Answers also if no response can be made: else the caller would wait for ever. */
  private static void answer(AsyncExceptionMapperContext context, Supplier<Response> made) {
    Response response = Response.serverError().build();
    try {
      response = made.get();
    } finally {
      context.setResponse(response);
      context.resume();
    }
  }

  private Response response(E thrown, ResteasyReactiveRequestContext rest) {
    LimitedExchange exchange = RestLimits.of(rest);
    if (exchange != null) {
      var refusal = exchange.limitedRequest().refusalIn(thrown);
      if (refusal.isPresent()) {
        exchange.limitedRequest().answered(refusal.get());
        return Refusals.response(refusal.get());
      }
    }
    return Refusals.response(outsideOfLimits(thrown));
  }

  /** Makes the refusal where the resource isn't known to Weir. */
  private Refusal outsideOfLimits(E thrown) {
    return thrown instanceof RateLimitExceededException refused
        ? limits.adapter().refusal(refused, header -> List.of())
        : limits.adapter().refusal((InvalidRequestException) thrown);
  }
}
