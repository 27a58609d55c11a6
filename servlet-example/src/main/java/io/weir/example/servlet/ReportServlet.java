package io.weir.example.servlet;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Four requests per calendar month in Berlin: each takes 5 of 20 permits. */
public class ReportServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(
      limit = 20,
      window = 1,
      unit = ChronoUnit.MONTHS,
      zone = "Europe/Berlin",
      cost = 5,
      name = "report")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(response, "report");
  }
}
