package io.weir.example.servlet;

import io.weir.annotation.Algorithm;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Purchases of up to 200 in total, of which 50 are refilled each day. */
public class BuyServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(
      limit = 200,
      refill = 50,
      window = 1,
      unit = ChronoUnit.DAYS,
      algorithm = Algorithm.TOKEN_BUCKET,
      costFrom = "query:amount",
      name = "buy")
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(response, "buy");
  }
}
