package io.weir.example.servlet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Signs in by a form or by JSON. */
public class LoginServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final JsonMapper JSON = new JsonMapper();

  @Override
  @LimitedLogin
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    @Nullable String type = request.getContentType();
    if (type == null || !type.startsWith("application/json")) {
      answer(response, request.getParameter("user"), request.getParameter("password"));
      return;
    }
    try {
      JsonNode login = JSON.readTree(request.getReader());
      answer(response, login.path("user").asText(), login.path("password").asText());
    } catch (JsonProcessingException malformed) {
      JsonAnswers.badRequest(response, "the body must be JSON");
    }
  }

  private static void answer(
      HttpServletResponse response, @Nullable String user, @Nullable String password)
      throws IOException {
    if (!Passwords.isRight(user, password)) {
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
    }
    JsonAnswers.write(response, "login");
  }
}
