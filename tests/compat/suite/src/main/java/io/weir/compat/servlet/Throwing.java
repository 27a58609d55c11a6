package io.weir.compat.servlet;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/** Throws the exceptions of woven methods, as the query says; has a limit of one per minute. */
final class Throwing extends CountingServlet {
  private static final Policy SERVICE =
      Policy.builder("service").limit(1).window(Duration.ofMinutes(1)).build();

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    Weir weir = (Weir) getServletContext().getAttribute(Weir.class.getName());
    Decision decision = weir.limiter().tryAcquire(SERVICE, Key.everybody());
    String query = String.valueOf(request.getQueryString());
    if (query.equals("writer")) {
      response.getWriter().print("half of a page");
    }
    if (query.startsWith("encoded") || query.startsWith("short")) {
      begin(response, query);
    }
    if (query.equals("async")) {
      request.startAsync().setTimeout(0);
    }
    if (!decision.admitted()) {
      RateLimitExceededException refused = new RateLimitExceededException(decision);
      throw query.equals("wrapped")
          ? new ServletException(new IllegalStateException(refused))
          : new ServletException(refused);
    }
    answer(request, response);
  }

  /** Output that a refusal has to remove. */
  private static void begin(HttpServletResponse response, String query) throws IOException {
    response.setHeader("X-Own", "stays");
    response.setContentLength(5);
    if (query.startsWith("encoded")) {
      response.setHeader("Content-Encoding", "br");
    }
    if (query.endsWith("writer")) {
      response.getWriter().print("ha");
    }
  }

  /** Always fails. */
  static final class Always extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 60, name = "failing", count = Count.FAILURES)
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException {
      throw new ServletException("on purpose");
    }
  }
}
