package io.weir.jaxrs;

import io.weir.RateLimitExceededException;
import io.weir.internal.guard.WeirRuntime;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * Turns a woven method's refusal into the usual response. Jersey also maps the cause of an unmapped
 * exception, so a refusal thrown in a thread pool arrives too; JAX-RS doesn't promise that.
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
