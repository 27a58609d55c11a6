package io.weir.example.servlet;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Limited by API key; {@link PremiumTier} determines the callers with a higher limit. */
public class ItemsServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(
      limit = 10,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = By.KEY,
      key = "header:X-Api-Key",
      tiers = @Tier(name = "premium", limit = 1000),
      name = "items-key")
  @RateLimit(limit = 2000, window = 1, unit = ChronoUnit.MINUTES, name = "items-ip")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(response, "items");
  }
}
