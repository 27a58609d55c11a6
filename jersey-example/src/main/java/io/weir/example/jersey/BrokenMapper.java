package io.weir.example.jersey;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Maps the application's own exception to its own response. */
public class BrokenMapper implements ExceptionMapper<BrokenException> {
  @Override
  public Response toResponse(BrokenException broken) {
    return Response.serverError()
        .type(MediaType.APPLICATION_JSON)
        .entity(JsonAnswers.from("broken"))
        .build();
  }
}
