package io.weir.example.servlet;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Fails on purpose; web.xml maps the failure to {@link BrokenPage}. */
public class BrokenServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(limit = 10, window = 10, name = "broken")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    throw new IllegalStateException("broken on purpose");
  }
}
