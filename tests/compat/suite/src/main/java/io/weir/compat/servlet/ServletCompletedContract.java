package io.weir.compat.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.compat.CompletedRequests;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.ServletContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a policy source is notified of each request once, even if it is dispatched. */
public interface ServletCompletedContract extends ServletServer {
  @Test
  default void aPolicySourceIsToldOnceOfEachRequest() throws Exception {
    CompletedRequests completed = new CompletedRequests();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Front())
            .servlet("/two", new Servlets.Hello())
            .servlet("/free", new Servlets.Free())
            .servlet("/behind", new Servlets.Behind())
            .webXml(ServletDispatchContract.ERROR_PAGE)
            .parts(parts -> parts.policySource(completed));
    List<String> expected = new ArrayList<>();
    try (ServletApp app = builder.start()) {
      for (String kind : List.of("", "error", "throw")) {
        expected.add("GET /x by nobody: admitted front");
        app.get("/x?" + kind);
        assertEquals(expected, completed.told());
      }
      for (String kind : List.of("forward", "include")) {
        expected.add("GET /x by nobody: admitted front behind");
        app.get("/x?" + kind);
        assertEquals(expected, completed.told());
      }
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/two"));
      expected.add("GET /two by nobody: admitted hello");
      expected.add("GET /two by nobody: admitted hello");
      expected.add("GET /two by nobody: refused hello");
      app.get("/free");
      assertEquals(expected, completed.told());
    }
  }

  @Test
  default void whatEndsLaterIsToldThen() throws Exception {
    CompletedRequests completed = new CompletedRequests();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Later())
            .servlet("/behind", new Servlets.Free())
            .servlet("/failing", new Throwing.Always())
            .parts(parts -> parts.policySource(completed));
    List<String> endings =
        List.of("complete", "at-once", "dispatch", "again", "fallback", "timeout", "error");
    try (ServletApp app = builder.start()) {
      for (int i = 0; i < endings.size(); i++) {
        app.get("/x?" + endings.get(i));
        assertEquals(i + 1, completed.told().size(), endings.get(i));
        String told = completed.told().get(i);
        assertTrue(told.startsWith("GET /x by nobody: admitted later"), told);
      }
    }
  }

  @Test
  default void theUserIsWhoWasSignedInWhereItWasDecided() throws Exception {
    CompletedRequests completed = new CompletedRequests();
    ServletAppBuilder builder =
        ServletApp.on(this)
            .servlet("/x", new Servlets.Profile())
            .parts(parts -> parts.policySource(completed))
            .filters(
                (context, weir) -> {
                  add(context, weir, "before");
                  ServletAppBuilder.filter(context, "sign-in", new SignIn(), "/*");
                  add(context, weir, "after");
                });
    try (ServletApp app = builder.start()) {
      app.statuses(3, "GET", "/x", "X-User: alice");
      assertEquals(
          List.of(
              "GET /x by alice: admitted addresses users",
              "GET /x by alice: admitted addresses users",
              "GET /x by alice: refused addresses users"),
          completed.told());
    }
  }

  private static void add(ServletContext context, Weir weir, String phase) {
    ServletAppBuilder.filter(context, phase, new RateLimitFilter(weir), "/*")
        .setInitParameter("phase", phase);
  }
}
