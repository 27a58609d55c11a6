package io.weir.example.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Serves a page that lists the endpoints, with a curl command for each. */
public class IndexServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/html;charset=utf-8");
    try (InputStream page = IndexServlet.class.getResourceAsStream("index.html")) {
      String address = request.getRequestURL().toString();
      String base = address.substring(0, address.length() - 1);
      byte[] bytes = Objects.requireNonNull(page).readAllBytes();
      String html = new String(bytes, StandardCharsets.UTF_8);
      response.getWriter().print(html.replace("{base}", base));
    }
  }
}
