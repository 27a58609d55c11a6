package io.weir.internal.server.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Leads browsers from {@code /} to the console. Safe for concurrent use. */
final class ConsoleRedirectServlet extends HttpServlet {
  /** Maps a servlet to the root alone. */
  static final String PATH = "";

  /** Sends a relative address, which stays right behind a proxy that ends TLS or adds a path. */
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) {
    response.setHeader("Location", "v1/console/");
    response.setStatus(HttpServletResponse.SC_FOUND);
  }
}
