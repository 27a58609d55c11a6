package io.weir.internal.server.http;

import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.Json;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes the problem documents of the server's own filters and servlets. */
final class ProblemResponses {
  private ProblemResponses() {}

  /** Responds with a problem document; the detail must not contain quotation marks. */
  static void answer(HttpServletResponse response, int status, String title, String detail)
      throws IOException {
    json(response, status, "application/problem+json", json(status, title, detail));
  }

  static void answer(HttpServletResponse response, Problem problem) throws IOException {
    json(
        response,
        problem.status(),
        "application/problem+json",
        new String(Json.bytes(problem.document()), StandardCharsets.UTF_8));
  }

  /** Renders a document; the detail must not contain quotation marks, and is omitted if empty. */
  static String json(int status, String title, String detail) {
    return "{\"type\":\"about:blank\",\"title\":\""
        + title
        + "\",\"status\":"
        + status
        + (detail.isEmpty() ? "" : ",\"detail\":\"" + detail + "\"")
        + "}";
  }

  static void unauthorized(HttpServletResponse response, String challenge, String detail)
      throws IOException {
    response.setHeader("WWW-Authenticate", challenge);
    answer(response, HttpServletResponse.SC_UNAUTHORIZED, "Unauthorized", detail);
  }

  static void tooLarge(HttpServletResponse response, int maxBytes) throws IOException {
    response.setHeader("Connection", "close"); // the rest isn't read
    answer(
        response,
        HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
        "Request Entity Too Large",
        "The body is longer than " + maxBytes + " bytes.");
  }

  static void forbidden(HttpServletResponse response, String detail) throws IOException {
    answer(response, HttpServletResponse.SC_FORBIDDEN, "Forbidden", detail);
  }

  static void json(HttpServletResponse response, int status, String type, String json)
      throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
