package io.weir.example.servlet;

import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Up to 12 requests per 10 s; the last two are marked SOFT. */
public class SearchServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(limit = 10, window = 10, mode = Mode.SOFT, exceedBy = 20, name = "search")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(request, response, "search");
  }
}
