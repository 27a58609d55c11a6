package io.weir.benchmarks.http;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Answers as little as a servlet can, without an annotation. */
class HelloServlet extends HttpServlet {
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain");
    response.setContentLength(Hello.BODY.length);
    response.getOutputStream().write(Hello.BODY);
  }

  /** Returns one for the requests of a load; what limits a request is what the server adds. */
  static HelloServlet of(HttpLoad load) {
    return switch (load) {
      case FREE, RULES -> new HelloServlet();
      case ADMITTED, IETF -> new Limited();
      case REFUSED -> new Refused();
    };
  }

  /** The same, limited so that no request is refused. */
  static final class Limited extends HelloServlet {
    @Override
    @RateLimit(limit = Hello.MORE_THAN_ASKED, window = 1, unit = ChronoUnit.MINUTES)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      super.doGet(request, response);
    }
  }

  /** The same, limited so that everybody but the first is refused. */
  static final class Refused extends HelloServlet {
    @Override
    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DAYS)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      super.doGet(request, response);
    }
  }
}
