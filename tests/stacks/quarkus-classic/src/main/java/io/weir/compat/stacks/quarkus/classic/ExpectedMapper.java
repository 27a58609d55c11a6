package io.weir.compat.stacks.quarkus.classic;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** Maps an exception of the application. */
@Provider
public class ExpectedMapper implements ExceptionMapper<ExpectedException> {
  @Override
  public Response toResponse(ExpectedException exception) {
    return Response.status(500).entity("mapped").type(MediaType.TEXT_PLAIN).build();
  }
}
