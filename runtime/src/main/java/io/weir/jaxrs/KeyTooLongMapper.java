package io.weir.jaxrs;

import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.key.KeyTooLongException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/**
 * Answers 400 if the key of a woven method's policy is too long, as the filters do.
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
