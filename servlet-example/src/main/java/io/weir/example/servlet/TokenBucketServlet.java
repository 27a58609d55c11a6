package io.weir.example.servlet;

import io.weir.annotation.Algorithm;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** 20 requests at once, then one per second. */
public class TokenBucketServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(
      limit = 60,
      window = 1,
      unit = ChronoUnit.MINUTES,
      algorithm = Algorithm.TOKEN_BUCKET,
      burst = 20,
      name = "bucket")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(response, "bucket");
  }
}
