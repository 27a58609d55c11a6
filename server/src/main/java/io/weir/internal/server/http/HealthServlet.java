package io.weir.internal.server.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code /health/live} and {@code /health/ready}, for whoever asks. */
final class HealthServlet extends HttpServlet {
  private final transient Health health;

  HealthServlet(Health health) {
    this.health = health;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    HealthAnswer answer = HealthAnswer.of(request.getServletPath(), health);
    Problems.json(response, answer.status(), "application/json", answer.json());
  }
}
