package io.weir.quarkus.rest;

import io.quarkus.arc.Arc;
import io.quarkus.runtime.BlockingOperationControl;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests by the refusal of a limited call that the resource has made. A stage may fail in
 * an event loop, which doesn't ask the store.
 *
 * @param <E> what such a call throws
 */
abstract class ClassicMapper<E extends Throwable> implements ExceptionMapper<E> {
  @Override
  public final Response toResponse(E thrown) {
    @Nullable LimitedExchange exchange =
        BlockingOperationControl.isBlockingAllowed() ? ClassicFilters.begun() : null;
    return Refusals.ofCall(
        thrown, exchange, Arc.container().instance(ClassicLimits.class).get().adapter());
  }
}
