package io.weir.compat.cluster.node;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** The examples' page with one bucket for everybody. Safe for concurrent use. */
public final class ExactPage extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  @RateLimit(
      name = "exact",
      limit = 100,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = By.ENDPOINT,
      algorithm = Algorithm.FIXED_WINDOW)
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().print("exact");
  }
}
