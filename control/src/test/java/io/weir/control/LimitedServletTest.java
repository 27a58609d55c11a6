package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.rules.Rules;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The servlet in an application whose servlets are limited. */
class LimitedServletTest {
  private static Server start(Weir weir, Rules rules) {
    return TomcatServer.start(weir, rules, "", "/v1/*", application -> limit(application, weir));
  }

  private static void limit(ServletContext application, Weir weir) {
    FilterRegistration.Dynamic limits = application.addFilter("limits", new RateLimitFilter(weir));
    limits.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
    limits.setAsyncSupported(true);
    application.addServlet("shop", new Shop()).addMapping("/shop");
  }

  /** A servlet of the application. */
  private static final class Shop extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().print("open");
    }
  }

  @Test
  void noRuleLocksOutWhoIsToChangeIt() {
    assertNeverLimited(Map.of());
  }

  @Test
  void neitherDoesASetting() {
    assertNeverLimited(Map.of("weir.default.limit", "1", "weir.default.window", "1h"));
    assertNeverLimited(Map.of("weir.application.limit", "1", "weir.application.window", "1h"));
    assertNeverLimited(
        Map.of(
            "weir.policy.all.url", "/v1/*",
            "weir.policy.all.limit", "1",
            "weir.policy.all.window", "1h"));
  }

  @Test
  void neitherDoesTheAccessList() {
    Map<String, String> all =
        Map.of("weir.access.deny", "127.0.0.1, user:root", "weir.rules.caller", "header:X-Key");
    try (ControlApp app = new ControlApp(all, LimitedServletTest::start)) {
      Lockout.assertNone(app, "X-Key", () -> app.get("/shop", "").status());
    }
  }

  private static void assertNeverLimited(Map<String, String> settings) {
    try (ControlApp app = new ControlApp(settings, LimitedServletTest::start)) {
      app.rule("*", "*", 1);
      assertEquals(200, app.get("/shop", "").status());
      assertEquals(429, app.get("/shop", "").status());
      for (int i = 0; i < 3; i++) {
        assertEquals(
            200,
            app.get("/v1/admin/ratelimit/rules", "root/weir-admin").status(),
            settings::toString);
        assertEquals(200, app.get("/v1/console/", "").status(), settings::toString);
      }
    }
  }
}
