package io.weir.jaxrs;

import io.weir.guard.Weir;
import io.weir.key.KeyTooLongException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Turns what a woven method couldn't count by into the client's mistake that it is. */
final class KeyTooLongMapper implements ExceptionMapper<KeyTooLongException> {
  private final Weir weir;

  KeyTooLongMapper(Weir weir) {
    this.weir = weir;
  }

  @Override
  public Response toResponse(KeyTooLongException mistake) {
    return ProblemDocument.response(weir.refusals().badRequest(mistake.getMessage()));
  }
}
