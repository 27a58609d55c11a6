package io.weir.compat.servlet;

import io.weir.Decision;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A servlet that counts how often it is reached. */
abstract class CountingServlet extends HttpServlet {
  private final transient AtomicInteger reached = new AtomicInteger();

  int reached() {
    return reached.get();
  }

  /** Answers with the status in the query, and the decision. */
  final void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    reached.incrementAndGet();
    String query = request.getQueryString();
    if (query != null && query.matches("status=\\d+(&.*)?")) {
      response.setStatus(Integer.parseInt(query.replaceAll("\\D*(\\d+).*", "$1")));
    }
    response.setContentType("text/plain");
    @Nullable Decision decision = (Decision) request.getAttribute(Decision.class.getName());
    if (decision != null) {
      response.setIntHeader("X-Overshoot", decision.policy().overshoot());
    }
    response.getWriter().print("decision " + decision);
  }
}
