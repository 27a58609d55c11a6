package io.weir.example.servlet;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Two limits: by address, before {@link SignInFilter}, and by user, after it. */
public class ProfileServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  @RateLimit(limit = 20, window = 1, unit = ChronoUnit.MINUTES, by = By.USER, name = "profile-user")
  @RateLimit(limit = 60, window = 1, unit = ChronoUnit.MINUTES, by = By.IP, name = "profile-ip")
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    JsonAnswers.write(response, "profile");
  }
}
