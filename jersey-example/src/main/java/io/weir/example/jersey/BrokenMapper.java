package io.weir.example.jersey;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;

/** The application's own answer to its own failure. */
public class BrokenMapper implements ExceptionMapper<BrokenException> {
  @Override
  public Response toResponse(BrokenException broken) {
    return Response.serverError()
        .type(MediaType.APPLICATION_JSON)
        .entity(Answer.from("broken"))
        .build();
  }
}
