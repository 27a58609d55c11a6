package io.weir.internal.server.http;

import io.weir.internal.server.access.Authentication;
import io.weir.internal.server.access.Role;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/** Serves {@code /metrics} to the role {@code weir-metrics}. */
final class MetricsServlet extends HttpServlet {
  static final String PATH = "/metrics";
  static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final transient Supplier<String> metrics;

  MetricsServlet(Supplier<String> metrics) {
    this.metrics = metrics;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<Authentication> caller = AuthenticatedRequest.of(request);
    if (caller.isEmpty()) {
      ProblemResponses.unauthorized(
          response, "Bearer realm=\"weir\"", "Authentication is required.");
    } else if (!caller.get().identity().may(Role.METRICS)) {
      ProblemResponses.forbidden(response, "This needs the role weir-metrics.");
    } else {
      ProblemResponses.json(response, HttpServletResponse.SC_OK, TYPE, metrics.get());
    }
  }
}
