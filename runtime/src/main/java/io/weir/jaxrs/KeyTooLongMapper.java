package io.weir.jaxrs;

import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.key.KeyTooLongException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * Turns the oversized key of a woven method's policy into a bad request, as a filter's is.
 *
 * <p>Safe for concurrent use.
 */
final class KeyTooLongMapper implements ExceptionMapper<KeyTooLongException> {
  private final WeirRuntime weir;

  KeyTooLongMapper(WeirRuntime weir) {
    this.weir = weir;
  }

  @Override
  public Response toResponse(KeyTooLongException tooLong) {
    return ProblemEntity.response(weir.refusals().badRequest(tooLong.getMessage()));
  }
}
