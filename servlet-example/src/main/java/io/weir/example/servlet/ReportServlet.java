package io.weir.example.servlet;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Four a month, by Berlin's calendar: each takes five of twenty permits. */
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
    Answers.write(response, "report");
  }
}
