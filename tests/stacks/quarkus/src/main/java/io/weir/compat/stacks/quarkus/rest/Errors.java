package io.weir.compat.stacks.quarkus.rest;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Maps the exceptions of the application. */
public class Errors {
  @ServerExceptionMapper
  public Response expected(ExpectedException exception) {
    return Response.status(500).entity("mapped").type(MediaType.TEXT_PLAIN).build();
  }

  @ServerExceptionMapper
  public Response unprocessable(UnprocessableException exception) {
    return Response.status(422).entity("unprocessable").type(MediaType.TEXT_PLAIN).build();
  }
}
