package io.weir.compat.servlet;

import static io.weir.compat.servlet.ServletAppBuilder.filter;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that a browser's CORS preflights cost nothing, and lead past no limit. */
public interface ServletPreflightContract extends ServletServer {
  String ORIGIN = "Origin: https://shop.example";
  String WANTED = "Access-Control-Request-Method: GET";

  /** Answers preflights, as filters for CORS do. */
  Filter CORS =
      (request, response, chain) -> {
        HttpServletResponse answer = (HttpServletResponse) response;
        answer.setHeader("Access-Control-Allow-Origin", "https://shop.example");
        if (((HttpServletRequest) request).getMethod().equals("OPTIONS")) {
          answer.setStatus(204);
        } else {
          chain.doFilter(request, response);
        }
      };

  /** Takes the method from a header field. */
  Filter OVERRIDING =
      (request, response, chain) ->
          chain.doFilter(
              new HttpServletRequestWrapper((HttpServletRequest) request) {
                @Override
                public String getMethod() {
                  String other = getHeader("X-HTTP-Method-Override");
                  return other == null ? super.getMethod() : other;
                }
              },
              response);

  /** Has other code answer, without a servlet. */
  Filter ANSWERING = (request, response, chain) -> ((HttpServletResponse) response).setStatus(200);

  /** Sends the request to another servlet. */
  Filter FORWARDING =
      (request, response, chain) -> {
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
          request.getRequestDispatcher(Dispatching.TARGET).forward(request, response);
        } else {
          chain.doFilter(request, response);
        }
      };

  private ServletAppBuilder limited(Servlet servlet, Filter behind) {
    return ServletApp.on(this)
        .servlet("/x", servlet)
        .filters(
            (context, weir) -> {
              filter(context, "weir", new RateLimitFilter(weir), "/*");
              filter(context, "behind", behind, "/*");
            })
        .setting("weir.policy.all.url", "/*")
        .setting("weir.policy.all.limit", "2")
        .setting("weir.policy.all.window", "1m");
  }

  private static List<Integer> preflights(int requests, ServletApp app, String... more) {
    List<String> fields = new ArrayList<>(List.of(ORIGIN, WANTED));
    fields.addAll(List.of(more));
    return app.statuses(requests, "OPTIONS", "/x", fields.toArray(String[]::new));
  }

  @Test
  default void aPreflightThatAFilterAnswersCostsNothing() throws Exception {
    try (ServletApp app = limited(new Servlets.Classy(), CORS).start()) {
      assertEquals(Collections.nCopies(5, 204), preflights(5, app));
      assertEquals(List.of(200, 200, 429), app.statuses(3, "GET", "/x", ORIGIN));
      assertEquals(List.of(204), preflights(1, app));
    }
  }

  @Test
  default void aGeneratedAnswerToAPreflightCostsNothing() throws Exception {
    try (ServletApp app = ServletApp.on(this).servlet("/x", new Servlets.Classy()).start()) {
      assertEquals(Collections.nCopies(5, 200), preflights(5, app));
      assertEquals(List.of(200, 200, 200, 429), app.statuses(4, "OPTIONS", "/x"));
      assertEquals(429, app.send("OPTIONS", "/x", ORIGIN).status());
      assertEquals(429, app.send("OPTIONS", "/x", WANTED).status());
    }
  }

  @Test
  default void aServletsOwnAnswerToAPreflightIsLimited() throws Exception {
    Servlets.Heads own = new Servlets.Heads();
    try (ServletApp app = ServletApp.on(this).servlet("/x", own).start()) {
      assertEquals(List.of(200, 429), preflights(2, app));
      assertEquals(1, own.reached());
    }
    Servlets.Serving all = new Servlets.Serving();
    try (ServletApp app = ServletApp.on(this).servlet("/x", all).start()) {
      assertEquals(List.of(200, 200, 429), preflights(3, app));
      assertEquals(2, all.reached());
    }
  }

  /**
   * Else passwords could be tried by it without limit, where a filter behind Weir's judges these.
   */
  @Test
  default void aPreflightWithACredentialIsLimited() throws Exception {
    for (String credential : List.of("Authorization: Basic Z3Vlc3M6MQ==", "X-Api-Key: guess")) {
      try (ServletApp app = limited(new Servlets.Classy(), CORS).start()) {
        assertEquals(List.of(204, 204, 429), preflights(3, app, credential), credential);
        assertEquals(List.of(204), preflights(1, app));
        assertEquals(429, app.send("OPTIONS", "/x?%70wd=guess", ORIGIN, WANTED).status());
        assertEquals(204, app.send("OPTIONS", "/x?q=a", ORIGIN, WANTED).status());
      }
    }
  }

  @Test
  default void whatAFilterMakesOfAPreflightIsLimited() throws Exception {
    Servlets.Hello hello = new Servlets.Hello();
    try (ServletApp app = limited(hello, OVERRIDING).start()) {
      assertEquals(List.of(200, 200, 429, 429), preflights(4, app, "X-HTTP-Method-Override: GET"));
      assertEquals(2, hello.reached());
    }
  }

  @Test
  default void eachOfTwoWeirsLimitsPreflights() throws Exception {
    try (Weir other =
            Weir.builder()
                .settings(
                    Map.of(
                        "weir.policy.other.url", "/*",
                        "weir.policy.other.limit", "1",
                        "weir.policy.other.window", "1h"))
                .build();
        ServletApp app = limited(new Servlets.Serving(), new RateLimitFilter(other)).start()) {
      assertEquals(List.of(200, 429, 429), preflights(3, app));
    }
    try (Weir other = Weir.builder().build();
        ServletApp app =
            limited(new Servlets.Serving(), new RateLimitFilter(other))
                .setting("weir.policy.all.limit", "1")
                .start()) {
      assertEquals(List.of(200, 429, 429), preflights(3, app));
    }
  }

  @Test
  default void anotherFilterOfTheWeirLeadsNoPreflightPastALimit() throws Exception {
    for (List<String> patterns : List.of(List.of("/*", "/other"), List.of("/other", "/*"))) {
      ServletAppBuilder builder =
          ServletApp.on(this)
              .servlet("/x", new Servlets.Serving())
              .filters(
                  (context, weir) ->
                      patterns.forEach(
                          each -> {
                            String name = "weir" + patterns.indexOf(each);
                            filter(context, name, new RateLimitFilter(weir), each);
                          }));
      try (ServletApp app = builder.start()) {
        assertEquals(List.of(200, 200, 429), preflights(3, app), patterns::toString);
      }
    }
  }

  @Test
  default void whereAFilterForwardsAPreflightIsLimited() throws Exception {
    Dispatching.Target target = new Dispatching.Target();
    ServletAppBuilder builder =
        limited(new Servlets.Hello(), FORWARDING).servlet(Dispatching.TARGET, target);
    try (ServletApp app = builder.start()) {
      assertEquals(List.of(200, 200, 429, 429), preflights(4, app));
    }
  }

  @Test
  default void aFilterThatMayHandleRequestsItselfIsLimited() throws Exception {
    try (ServletApp app = limited(new Servlets.Hello(), ANSWERING).start()) {
      assertEquals(
          List.of(200, 200, 429), app.statuses(3, "OPTIONS", "/no-servlet", ORIGIN, WANTED));
    }
  }
}
