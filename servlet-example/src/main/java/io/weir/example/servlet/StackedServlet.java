package io.weir.example.servlet;

import io.weir.annotation.RateLimit;
import io.weir.annotation.Unit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Two limits, both or neither: what one refuses, the other doesn't count. */
public class StackedServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(limit = 10, window = 1, unit = Unit.MINUTES, name = "stacked-minute")
  @RateLimit(limit = 500, window = 1, unit = Unit.HOURS, name = "stacked-hour")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Answers.write(response, "stacked");
  }
}
