package io.weir.example.servlet;

import io.weir.Decision;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The JSON that every endpoint answers. */
final class Answers {
  private Answers() {}

  static void write(HttpServletResponse response, String endpoint) throws IOException {
    json(response, "{\"endpoint\":\"" + endpoint + "\"}");
  }

  /** What was decided is an attribute of the request: an application may treat SOFT ones apart. */
  static void write(HttpServletRequest request, HttpServletResponse response, String endpoint)
      throws IOException {
    String outcome =
        request.getAttribute(Decision.class.getName()) instanceof Decision decision
            ? decision.outcome().name()
            : "NOT_LIMITED";
    json(response, "{\"endpoint\":\"" + endpoint + "\",\"outcome\":\"" + outcome + "\"}");
  }

  static void badRequest(HttpServletResponse response, String mistake) throws IOException {
    error(response, HttpServletResponse.SC_BAD_REQUEST, mistake);
  }

  static void error(HttpServletResponse response, int status, String why) throws IOException {
    response.setStatus(status);
    json(response, "{\"error\":\"" + why + "\"}");
  }

  static void json(HttpServletResponse response, String body) throws IOException {
    response.setContentType("application/json");
    response.setCharacterEncoding("UTF-8");
    response.getWriter().println(body);
  }
}
