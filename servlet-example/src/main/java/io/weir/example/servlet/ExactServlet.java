package io.weir.example.servlet;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** 100 requests per minute for all callers together. */
public class ExactServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(
      limit = 100,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = By.ENDPOINT,
      algorithm = Algorithm.FIXED_WINDOW,
      name = "exact")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(response, "exact");
  }
}
