package io.weir.example.servlet;

import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A limit that follows the load of the node. */
public class FeedServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(limit = 10, window = 10, mode = Mode.ELASTIC, exceedBy = 100, name = "feed")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(request, response, "feed");
  }
}
