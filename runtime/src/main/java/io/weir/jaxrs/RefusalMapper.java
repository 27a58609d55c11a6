package io.weir.jaxrs;

import io.weir.RateLimitExceededException;
import io.weir.internal.application.WeirRuntime;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns a woven method's refusal into the usual response. Jersey also maps the cause of an unmapped
 * exception, so a refusal thrown in a thread pool arrives too; JAX-RS doesn't promise that.
 *
 * <p>Safe for concurrent use.
 */
final class RefusalMapper implements ExceptionMapper<RateLimitExceededException> {
  private final WeirRuntime weir;

  @Context private @Nullable HttpHeaders headers;

  RefusalMapper(WeirRuntime weir) {
    this.weir = weir;
  }

  @Override
  public Response toResponse(RateLimitExceededException refused) {
    return ProblemEntity.response(
        weir.refusals().of(refused.decision(), this::values),
        request -> request.refusalOf(refused, this::values));
  }

  /** Nothing where the implementation injects nothing, or the request isn't this thread's. */
  private List<String> values(String header) {
    try {
      List<String> lines = headers == null ? null : headers.getRequestHeader(header);
      return lines == null ? List.of() : lines;
    } catch (RuntimeException | LinkageError noRequest) {
      return List.of();
    }
  }
}
