package org.example.shop;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Three offers an hour for each address. */
public class OfferServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(limit = 3, window = 1, unit = ChronoUnit.HOURS, name = "offer")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().println("a bicycle");
  }
}
