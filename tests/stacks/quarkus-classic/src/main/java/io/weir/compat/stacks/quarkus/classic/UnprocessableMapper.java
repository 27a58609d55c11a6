package io.weir.compat.stacks.quarkus.classic;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Maps an exception of the application. */
@Provider
public class UnprocessableMapper implements ExceptionMapper<UnprocessableException> {
  @Override
  public Response toResponse(UnprocessableException exception) {
    return Response.status(422).entity("unprocessable").type(MediaType.TEXT_PLAIN).build();
  }
}
