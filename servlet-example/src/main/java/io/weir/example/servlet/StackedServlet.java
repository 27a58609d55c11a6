package io.weir.example.servlet;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Two limits, all or nothing: if one refuses a request, the other doesn't count it. */
public class StackedServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(limit = 10, window = 1, unit = ChronoUnit.MINUTES, name = "stacked-minute")
  @RateLimit(limit = 500, window = 1, unit = ChronoUnit.HOURS, name = "stacked-hour")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(response, "stacked");
  }
}
