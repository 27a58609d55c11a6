package io.weir.jaxrs;

import io.weir.guard.Weir;
import io.weir.key.KeyTooLongException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * Turns the oversized key of a woven method's policy into a bad request, as a filter's is.
 *
 * <p>Safe for concurrent use.
 */
final class KeyTooLongMapper implements ExceptionMapper<KeyTooLongException> {
  private final Weir weir;

  KeyTooLongMapper(Weir weir) {
    this.weir = weir;
  }

  @Override
  public Response toResponse(KeyTooLongException tooLong) {
    return ProblemDocument.response(weir.refusals().badRequest(tooLong.getMessage()));
  }
}
