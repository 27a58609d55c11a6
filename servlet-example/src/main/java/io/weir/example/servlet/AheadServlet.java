package io.weir.example.servlet;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** 1,000 per minute; a cluster may admit 50 more, so that requests don't wait for its store. */
public class AheadServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(limit = 1000, window = 1, unit = ChronoUnit.MINUTES, overshoot = 5, name = "ahead")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(response, "ahead");
  }
}
