package io.weir.jaxrs;

import io.weir.RateLimitExceededException;
import io.weir.internal.guard.WeirRuntime;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * Turns what a woven method threw into the response that any refused request gets. Jersey asks it
 * also for the cause of what nobody maps, so that a refusal in a thread pool arrives; JAX-RS itself
 * promises no such thing.
 *
 * <p>Safe for concurrent use.
 */
final class RefusalMapper implements ExceptionMapper<RateLimitExceededException> {
  private final WeirRuntime weir;

  RefusalMapper(WeirRuntime weir) {
    this.weir = weir;
  }

  @Override
  public Response toResponse(RateLimitExceededException refused) {
    return ProblemEntity.response(weir.refusals().of(refused.decision()));
  }
}
