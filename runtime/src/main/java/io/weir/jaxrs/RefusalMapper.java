package io.weir.jaxrs;

import io.weir.RateLimitExceededException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the refusal of a woven method into the usual response. Jersey also maps the causes of
 * unmapped exceptions, so refusals thrown in a thread pool are mapped too; JAX-RS doesn't guarantee
 * that.
 *
 * <p>Safe for concurrent use.
 */
final class RefusalMapper implements ExceptionMapper<RateLimitExceededException> {
  private final JaxrsApplication application;

  @Context private @Nullable HttpHeaders headers;

  RefusalMapper(JaxrsApplication application) {
    this.application = application;
  }

  @Override
  public Response toResponse(RateLimitExceededException refused) {
    return ProblemEntity.response(application.adapter().refusal(refused, this::values), refused);
  }

  /** Reads a header; none if nothing was injected or this thread serves no request. */
  private List<String> values(String header) {
    try {
      List<String> lines = headers == null ? null : headers.getRequestHeader(header);
      return lines == null ? List.of() : lines;
    } catch (RuntimeException | LinkageError noRequest) {
      return List.of();
    }
  }
}
