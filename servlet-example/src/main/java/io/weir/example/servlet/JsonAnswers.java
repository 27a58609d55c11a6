package io.weir.example.servlet;

import io.weir.Decision;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes the JSON responses of all endpoints. */
final class JsonAnswers {
  private JsonAnswers() {}

  static void write(HttpServletResponse response, String endpoint) throws IOException {
    json(response, "{\"endpoint\":\"" + endpoint + "\"}");
  }

  /** Adds the outcome, a request attribute, so that an application can treat SOFT apart. */
  static void write(HttpServletRequest request, HttpServletResponse response, String endpoint)
      throws IOException {
    String outcome =
        request.getAttribute(Decision.class.getName()) instanceof Decision decision
            ? decision.outcome().name()
            : "NOT_LIMITED";
    json(response, "{\"endpoint\":\"" + endpoint + "\",\"outcome\":\"" + outcome + "\"}");
  }

  static void badRequest(HttpServletResponse response, String message) throws IOException {
    error(response, HttpServletResponse.SC_BAD_REQUEST, message);
  }

  static void error(HttpServletResponse response, int status, String message) throws IOException {
    response.setStatus(status);
    json(response, "{\"error\":\"" + message + "\"}");
  }

  static void json(HttpServletResponse response, String body) throws IOException {
    response.setContentType("application/json");
    response.setCharacterEncoding("UTF-8");
    response.getWriter().println(body);
  }
}
