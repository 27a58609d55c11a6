package io.weir.jaxrs;

import io.weir.InvalidRequestException;
import io.weir.internal.application.WeirRuntime;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * Answers 400 if a woven method's policy can't count the call, as the filters do.
 *
 * <p>Safe for concurrent use.
 */
final class InvalidRequestMapper implements ExceptionMapper<InvalidRequestException> {
  private final WeirRuntime weir;

  InvalidRequestMapper(WeirRuntime weir) {
    this.weir = weir;
  }

  @Override
  public Response toResponse(InvalidRequestException invalid) {
    return ProblemEntity.response(
        weir.refusals().badRequest(invalid.getMessage()), request -> request.refusalOf(invalid));
  }
}
