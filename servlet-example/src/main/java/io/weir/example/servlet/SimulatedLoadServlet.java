package io.weir.example.servlet;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sets a simulated load: {@code ?percent=90}; without it, the real load counts again. */
public class SimulatedLoadServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    @Nullable String percent = request.getParameter("percent");
    if (percent == null || percent.isBlank()) {
      load().simulate(Optional.empty());
    } else if (percent.matches("\\d{1,2}|100")) {
      load().simulate(Optional.of(Integer.valueOf(percent)));
    } else {
      JsonAnswers.badRequest(response, "percent must be a whole number from 0 to 100");
      return;
    }
    JsonAnswers.write(response, "feed/load");
  }

  private PretendedLoad load() {
    return (PretendedLoad) getServletContext().getAttribute(PretendedLoad.class.getName());
  }
}
