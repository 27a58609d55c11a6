package io.weir.example.servlet;

import io.weir.Weir;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.quota.Quota;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** Takes one permit of the caller's quota, and returns the state of the quota. */
public class QuotaServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<String> key = Optional.ofNullable(request.getHeader("X-Api-Key"));
    try {
      Optional<Quota> quota = Rules.of(Weir.application()).flatMap(rules -> quota(rules, key));
      if (quota.isPresent()) {
        JsonAnswers.json(response, quota.get().toJson());
      } else {
        JsonAnswers.error(
            response, HttpServletResponse.SC_NOT_FOUND, "there is no quota for this X-Api-Key");
      }
    } catch (RulesUnavailableException away) {
      JsonAnswers.error(
          response,
          HttpServletResponse.SC_SERVICE_UNAVAILABLE,
          "the rules database can't be reached");
    }
  }

  private static Optional<Quota> quota(Rules rules, Optional<String> key) {
    return key.map(rules::userIdOfKey).flatMap(rules.quotas()::find);
  }
}
