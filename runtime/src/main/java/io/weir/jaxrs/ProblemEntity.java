package io.weir.jaxrs;

import io.weir.internal.http.Refusal;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The body of a refusal. Its type marks a response whose header fields are complete, also when the
 * refusal wasn't the endpoint's own.
 *
 * <p>Immutable.
 */
final class ProblemEntity implements StreamingOutput {
  private final Refusal refusal;

  private ProblemEntity(Refusal refusal) {
    this.refusal = refusal;
  }

  static Response response(Refusal refusal) {
    Response.ResponseBuilder response =
        Response.status(refusal.status()).entity(new ProblemEntity(refusal));
    refusal.headers().forEach(field -> response.header(field.name(), field.value()));
    return response.type(refusal.contentType()).build();
  }

  Refusal refusal() {
    return refusal;
  }

  @Override
  public void write(OutputStream output) throws IOException {
    refusal.writeTo(output);
  }
}
