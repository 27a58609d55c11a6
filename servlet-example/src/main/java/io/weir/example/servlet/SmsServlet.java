package io.weir.example.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Has no limit of its own: the service that it calls has one. */
public class SmsServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient SmsService service = new SmsService();

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    @Nullable String phone = request.getParameter("phone");
    if (phone == null || phone.isBlank()) {
      JsonAnswers.badRequest(response, "the parameter phone is missing");
      return;
    }
    service.send(phone);
    JsonAnswers.write(response, "sms");
  }
}
