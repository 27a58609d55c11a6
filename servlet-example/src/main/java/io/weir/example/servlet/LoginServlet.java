package io.weir.example.servlet;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts failures only, so a user who knows the password never notices the limit. It stops
 * guessing: once the failures are used up, even the right password is refused.
 */
public class LoginServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(
      limit = 5,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = {By.KEY, By.IP},
      key = "query:user",
      count = Count.FAILURES,
      name = "login-user")
  @RateLimit(
      limit = 20,
      window = 1,
      unit = ChronoUnit.MINUTES,
      count = Count.FAILURES,
      name = "login-ip")
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    @Nullable String user = request.getParameter("user");
    if (user == null || !user.equals(request.getParameter("password"))) {
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    }
    JsonAnswers.write(response, "login");
  }
}
