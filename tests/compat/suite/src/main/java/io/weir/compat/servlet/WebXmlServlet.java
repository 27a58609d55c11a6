package io.weir.compat.servlet;

import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A servlet that a container makes from its name in web.xml. */
public final class WebXmlServlet extends HttpServlet {
  /** Made by the container. */
  public WebXmlServlet() {}

  @Override
  @RateLimit(limit = 5, window = 3600, name = "from-xml")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().print("from web.xml");
  }
}
