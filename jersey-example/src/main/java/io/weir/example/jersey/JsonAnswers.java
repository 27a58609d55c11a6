package io.weir.example.jersey;

import io.weir.Decision;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** Writes the JSON responses of all endpoints. */
final class JsonAnswers {
  private JsonAnswers() {}

  static String from(String endpoint) {
    return "{\"endpoint\":\"" + endpoint + "\"}\n";
  }

  /** Adds the outcome, a property of the request, so that an application can treat SOFT apart. */
  static String from(String endpoint, ContainerRequestContext request) {
    String outcome =
        request.getProperty(Decision.class.getName()) instanceof Decision decision
            ? decision.outcome().name()
            : "NOT_LIMITED";
    return "{\"endpoint\":\"" + endpoint + "\",\"outcome\":\"" + outcome + "\"}\n";
  }

  static BadRequestException badRequest(String message) {
    return new BadRequestException(
        message,
        Response.status(Response.Status.BAD_REQUEST)
            .type(MediaType.APPLICATION_JSON)
            .entity("{\"error\":\"" + message + "\"}\n")
            .build());
  }
}
