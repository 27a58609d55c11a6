package io.weir.example.servlet;

import io.weir.annotation.RateLimit;
import io.weir.annotation.Unit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A request that is worth five. */
public class ReportServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(limit = 20, window = 1, unit = Unit.MINUTES, cost = 5, name = "report")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Answers.write(response, "report");
  }
}
