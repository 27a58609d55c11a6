package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that no servlet runs undecided that an error page dispatches to, or that filters reach by
 * another path.
 */
public interface ServletChangedRequestsContract extends ServletServer {
  /** Rejects requests before any filter, where the container checks constraints first. */
  String CONSTRAINT =
      "<security-constraint><web-resource-collection><web-resource-name>closed</web-resource-name>"
          + "<url-pattern>/closed/*</url-pattern></web-resource-collection><auth-constraint/>"
          + "</security-constraint>";

  /** A servlet for many paths, which forwards from its error page to another one of them. */
  final class FrontController extends CountingServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      if ("/error".equals(request.getPathInfo())) {
        request.getRequestDispatcher("/all/home").forward(request, response);
      } else {
        answer(request, response);
      }
    }
  }

  /** A request at the path that a filter has given it. */
  final class Rewritten extends HttpServletRequestWrapper {
    private final String pathInfo;

    Rewritten(HttpServletRequest request, String pathInfo) {
      super(request);
      this.pathInfo = pathInfo;
    }

    @Override
    public String getRequestURI() {
      return getContextPath() + getServletPath() + pathInfo;
    }

    @Override
    public String getPathInfo() {
      return pathInfo;
    }
  }

  /** Rewrites the path to that of a header field. */
  Filter REWRITING =
      (request, response, chain) -> {
        HttpServletRequest http = (HttpServletRequest) request;
        @Nullable String path = http.getHeader("X-Rewrite");
        chain.doFilter(path == null ? request : new Rewritten(http, path), response);
      };

  private static String errorPage(String location) {
    return "<error-page><location>" + location + "</location></error-page>";
  }

  /** Some containers answer TRACE by themselves. */
  private static boolean showsNoPage(String method, CountingServlet reached) {
    return method.equals("TRACE") && reached.reached() == 0;
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRACE /front", "GET /closed/1", "GET /missing", "POST /missing"})
  default void noErrorPageLeadsPastTheTargetsLimit(String failing) throws Exception {
    Dispatching.Target target = new Dispatching.Target();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/page", new Dispatching.Open())
            .servlet(Dispatching.TARGET, target)
            .webXml(errorPage("/page") + CONSTRAINT);
    String[] request = failing.split(" ");
    try (ServletApp app = builder.start()) {
      List<Integer> statuses = app.statuses(6, request[0], request[1] + "?forward");
      if (showsNoPage(request[0], target)) {
        assertTrue(statuses.stream().allMatch(each -> each >= 400), statuses::toString);
        return;
      }
      assertEquals(2, target.reached(), statuses::toString);
      assertTrue(statuses.subList(0, 2).stream().noneMatch(each -> each == 429));
      assertEquals(List.of(429, 429, 429, 429), statuses.subList(2, 6));
      assertEquals(0, app.weir().requestsInFlight());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRACE /front", "GET /closed/1", "GET /missing"})
  default void anErrorPageThatBeginsTheRequestCostsNothing(String failing) throws Exception {
    Dispatching.Target page = new Dispatching.Target();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet(Dispatching.TARGET, page)
            .webXml(errorPage(Dispatching.TARGET) + CONSTRAINT);
    String[] request = failing.split(" ");
    try (ServletApp app = builder.start()) {
      List<Integer> statuses = app.statuses(4, request[0], request[1]);
      assertTrue(statuses.stream().allMatch(each -> each >= 400 && each != 429));
      assertTrue(page.reached() == 4 || showsNoPage(request[0], page));
      assertEquals(1, app.get(Dispatching.TARGET).remaining());
    }
  }

  @Test
  default void noErrorPageLeadsToAnotherPathOfItsServlet() throws Exception {
    FrontController servlet = new FrontController();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/all/*", servlet)
            .webXml(errorPage("/all/error"))
            .setting("weir.policy.home.url", "/all/home")
            .setting("weir.policy.home.limit", "2")
            .setting("weir.policy.home.window", "1m");
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(404, 404, 429, 429), app.statuses(4, "GET", "/missing"));
      assertEquals(2, servlet.reached());
    }
  }

  @Test
  default void noRewrittenPathLeadsPastTheLimitOfItsUrl() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/files/*", new FrontController())
            .setting("weir.policy.secret.url", "/files/secret/*")
            .setting("weir.policy.secret.limit", "2")
            .setting("weir.policy.secret.window", "1m")
            .filters(
                (context, weir) -> {
                  ServletAppBuilder.filter(context, "weir", new RateLimitFilter(weir), "/*");
                  ServletAppBuilder.filter(context, "rewriting", REWRITING, "/*");
                });
    try (ServletApp app = builder.start()) {
      String rewrite = "X-Rewrite: /secret/1";
      assertEquals(List.of(200, 200, 429, 429), app.statuses(4, "GET", "/files/public", rewrite));
      assertEquals(200, app.get("/files/public").status());
      assertEquals(429, app.get("/files/secret/1").status());
    }
  }

  /** Elsewhere the path isn't read twice, since no policy of a servlet depends on it. */
  @Test
  default void aPathThatIsRewrittenFromThatOfAProbeIsLimited() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/files/*", new FrontController())
            .setting("weir.application.limit", "2")
            .setting("weir.application.window", "1m")
            .setting("weir.application.except", "/files/healthz")
            .filters(
                (context, weir) -> {
                  ServletAppBuilder.filter(context, "weir", new RateLimitFilter(weir), "/*");
                  ServletAppBuilder.filter(context, "rewriting", REWRITING, "/*");
                });
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(200, 200, 200), app.statuses(3, "GET", "/files/healthz"));
      String rewrite = "X-Rewrite: /secret/1";
      assertEquals(List.of(200, 200, 429, 429), app.statuses(4, "GET", "/files/healthz", rewrite));
    }
  }
}
