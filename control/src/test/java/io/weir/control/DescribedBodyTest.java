package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.Weir;
import io.weir.control.ControlApp.Reply;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.servlet.RateLimitFilter;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests whose body is described count as those whose body is read. */
class DescribedBodyTest {
  private static final String ACCOUNT = "lower:form:user|json:/user/email";

  private static final Map<String, String> BY_SETTINGS =
      Map.of(
          "weir.policy.login.url", "/login",
          "weir.policy.login.limit", "5",
          "weir.policy.login.window", "60s",
          "weir.policy.login.by", "key",
          "weir.policy.login.key", ACCOUNT);

  /** A servlet of the application. */
  private static final class Login extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }

  private static Server start(Weir weir, Rules rules) {
    return TomcatServer.start(weir, rules, "", "/v1/*", application -> limit(application, weir));
  }

  private static void limit(ServletContext application, Weir weir) {
    application
        .addFilter("limits", new RateLimitFilter(weir))
        .addMappingForUrlPatterns(null, false, "/*");
    application.addServlet("login", new Login()).addMapping("/login");
  }

  private static int form(ControlApp app, String body) {
    return app.send(app.request("/login", ""), "POST", body, "application/x-www-form-urlencoded")
        .status();
  }

  private static int json(ControlApp app, String body) {
    return app.send(app.request("/login", ""), "POST", body).status();
  }

  /** Describes a request, with attributes given as names and values by turns. */
  private static String described(String endpoint, String... attributes) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < attributes.length; i += 2) {
      all.append(i == 0 ? "" : ", ")
          .append("\"%s\": \"%s\"".formatted(attributes[i], attributes[i + 1]));
    }
    return "{\"ip\": \"127.0.0.1\", \"method\": \"POST\", \"endpoint\": \"%s\", \"attributes\": {%s}}"
        .formatted(endpoint, all);
  }

  private static long left(ControlApp app, String... attributes) {
    JsonNode answer = app.check(described("/login", attributes)).body();
    assertTrue(answer.get("allowed").asBoolean(), answer::toString);
    return answer.get("remaining").asLong();
  }

  private static JsonNode explain(ControlApp app, String endpoint, String... attributes) {
    return app.post("/v1/ratelimit/explain", described(endpoint, attributes)).body();
  }

  private static void assertOneBucket(ControlApp app) {
    assertEquals(200, form(app, "user=ZO%C3%8B"));
    assertEquals(200, json(app, "{\"User\": {\"email\": \"zoe\\u0308\"}}"));
    assertEquals(2, left(app, "form:user", "Zo\u00eb"));
    assertEquals(1, left(app, "json:/USER/email", "ZOE\u0308"));
    assertEquals(0, left(app, "query:user", "zoe\u0308"), "as getParameter reads it");
    assertEquals(429, form(app, "user=zo%C3%AB"));
    assertFalse(explain(app, "/login", "form:user", "ZO\u00cb").get("allowed").asBoolean(true));
    assertEquals(4, left(app, "form:user", "zoe"));
  }

  @Test
  void aDescribedAndARealRequestChargeOneBucket() {
    try (ControlApp app = new ControlApp(BY_SETTINGS, DescribedBodyTest::start)) {
      assertOneBucket(app);
      for (String place : List.of("json:/user/email", "query:user")) {
        Reply doubled = app.check(described("/login", "form:user", "zoe", place, "zoe"));
        assertEquals(400, doubled.status());
        assertTrue(doubled.body().get("detail").asText().contains("has several values"));
      }
    }
  }

  @Test
  void aRuleCountsThemInOneBucketToo() {
    try (ControlApp app = new ControlApp(Map.of(), DescribedBodyTest::start)) {
      app.save(Rule.builder("*", "/login").name("login").limit(5).countBy(List.of(ACCOUNT)));
      assertOneBucket(app);
      assertExplainsWhatIsMissing(app);
    }
  }

  private static void assertExplainsWhatIsMissing(ControlApp app) {
    String needed = "login: it needs form:user, which wasn't given; it needs json:/user/email";
    JsonNode nothing = explain(app, "/login");
    assertTrue(nothing.get("allowed").isNull(), nothing::toString);
    assertTrue(nothing.at("/undecided/0").asText().startsWith(needed), nothing::toString);
    JsonNode other = explain(app, "/login", "json:/user/email", "");
    assertTrue(
        other.at("/undecided/0").asText().endsWith("it needs form:user, which wasn't given"));
    for (String[] given :
        List.of(
            new String[] {"form:user", "ann"},
            new String[] {"json:/user/email", "ann"},
            new String[] {"form:user", "", "json:/user/email", ""})) {
      JsonNode known = explain(app, "/login", given);
      assertTrue(known.get("allowed").asBoolean(), known::toString);
      assertEquals(5, known.at("/decision/remaining").asLong(), known::toString);
    }
  }

  /** A condition that reads a form. */
  private record Automated() implements RequestCondition {
    @Override
    public boolean test(RequestInfo request) {
      return request.form("agent").filter("bot"::equals).isPresent();
    }

    @Override
    public boolean needsBody() {
      return true;
    }
  }

  @Test
  void anExplanationNamesThePolicyAndTheFieldThatWasNotGiven() {
    Map<String, String> settings =
        Map.of(
            "weir.policy.paid.url", "/paid/*",
            "weir.policy.paid.limit", "10",
            "weir.policy.paid.window", "60s",
            "weir.policy.paid.cost-from", "json:/amount",
            "weir.policy.bots.url", "/bots/*",
            "weir.policy.bots.limit", "10",
            "weir.policy.bots.window", "60s",
            "weir.policy.bots.when", "automated");
    try (ControlApp app =
        new ControlApp(
            settings,
            weir -> weir.requestCondition("automated", new Automated()),
            DescribedBodyTest::start)) {
      assertEquals(
          "[\"paid: it needs json:/amount, which wasn't given\"]",
          explain(app, "/paid/x").get("undecided").toString());
      String cost = described("/paid/x", "json:/amount", "2.5");
      assertEquals(7, app.check(cost).body().get("remaining").asLong());
      assertEquals(
          "[\"bots: it needs form:agent, which wasn't given\"]",
          explain(app, "/bots/x").get("undecided").toString());
      for (String agent : List.of("bot", "person")) {
        JsonNode answer = app.check(described("/bots/x", "form:agent", agent)).body();
        assertEquals(agent.equals("bot"), answer.get("matched").asBoolean(), answer::toString);
      }
    }
  }
}
