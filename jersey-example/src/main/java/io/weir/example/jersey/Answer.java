package io.weir.example.jersey;

import io.weir.Decision;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** The JSON that every endpoint answers. */
final class Answer {
  private Answer() {}

  static String from(String endpoint) {
    return "{\"endpoint\":\"" + endpoint + "\"}\n";
  }

  /** What was decided is a property of the request: an application may treat SOFT ones apart. */
  static String from(String endpoint, ContainerRequestContext request) {
    String outcome =
        request.getProperty(Decision.class.getName()) instanceof Decision decision
            ? decision.outcome().name()
            : "NOT_LIMITED";
    return "{\"endpoint\":\"" + endpoint + "\",\"outcome\":\"" + outcome + "\"}\n";
  }

  static BadRequestException badRequest(String mistake) {
    return new BadRequestException(
        mistake,
        Response.status(Response.Status.BAD_REQUEST)
            .type(MediaType.APPLICATION_JSON)
            .entity("{\"error\":\"" + mistake + "\"}\n")
            .build());
  }
}
