package io.weir.jaxrs;

import io.weir.InvalidRequestException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * Answers 400 if the policy of a woven method can't count a call, as the filters do for requests.
 *
 * <p>Safe for concurrent use.
 */
final class InvalidRequestMapper implements ExceptionMapper<InvalidRequestException> {
  private final JaxrsApplication application;

  InvalidRequestMapper(JaxrsApplication application) {
    this.application = application;
  }

  @Override
  public Response toResponse(InvalidRequestException invalid) {
    return ProblemEntity.response(application.adapter().refusal(invalid), invalid);
  }
}
