package io.weir.compat.cluster.node;

import io.weir.annotation.By;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A page whose limit is LOCAL while the store is away. Safe for concurrent use. */
public final class LocalPage extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  @RateLimit(
      name = "page.local",
      limit = 30,
      window = 1,
      by = By.ENDPOINT,
      onStoreFailure = OnStoreFailure.LOCAL)
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().print("local");
  }
}
