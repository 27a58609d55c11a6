package io.weir.example.servlet;

import io.weir.Weir;
import io.weir.rules.quota.Quota;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** Takes one of the caller's quota, and tells what is left of it. */
public class QuotaServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<String> key = Optional.ofNullable(request.getHeader("X-Api-Key"));
    try {
      Optional<Quota> quota = Rules.of(Weir.application()).flatMap(rules -> quota(rules, key));
      if (quota.isPresent()) {
        Answers.json(response, quota.get().toJson());
      } else {
        Answers.error(response, HttpServletResponse.SC_NOT_FOUND, "no key, no quota");
      }
    } catch (RulesUnavailableException away) {
      Answers.error(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "nobody can tell now");
    }
  }

  private static Optional<Quota> quota(Rules rules, Optional<String> key) {
    return key.map(rules::userIdOfKey).flatMap(rules.quotas()::find);
  }
}
