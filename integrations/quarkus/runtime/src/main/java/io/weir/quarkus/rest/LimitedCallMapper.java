package io.weir.quarkus.rest;

import io.quarkus.runtime.ExecutorRecorder;
import jakarta.ws.rs.core.Response;
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
      ExecutorRecorder.getCurrent()
          .execute(
              () ->
                  answer(
                      context,
                      () -> Refusals.ofCall(thrown, RestLimits.of(rest), limits.adapter())));
    } catch (RejectedExecutionException ending) {
      answer(context, () -> Refusals.ofCall(thrown, null, limits.adapter()));
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
}
