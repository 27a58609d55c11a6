package io.weir.internal.control.http;

import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;

/** The body of a refusal, as an application's own endpoints send it. Immutable. */
public final class RefusalEntity implements StreamingOutput {
  private final Refusal refusal;

  private RefusalEntity(Refusal refusal) {
    this.refusal = refusal;
  }

  /**
   * Makes the response to a refused request.
   *
   * @param status of the response; usually the refusal's own
   */
  public static Response response(Refusal refusal, int status) {
    Response.ResponseBuilder response =
        Response.status(JsonEntity.status(status)).entity(new RefusalEntity(refusal));
    for (HeaderField field : refusal.headers()) {
      response.header(field.name(), field.value());
    }
    return response.type(MediaType.valueOf(refusal.contentType())).build();
  }

  @Override
  public void write(OutputStream out) throws IOException {
    refusal.writeTo(out);
  }
}
