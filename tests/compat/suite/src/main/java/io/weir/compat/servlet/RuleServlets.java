package io.weir.compat.servlet;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Servlets limited by rules, some also by annotations, with a sign-in between both phases. */
public final class RuleServlets {
  private RuleServlets() {}

  /**
   * Starts a server.
   *
   * @param server the container under test
   * @param weir the Weir of the application
   * @return the running server
   * @throws Exception if the application can't start
   */
  public static ServletServer.Running start(ServletServer server, Weir weir) throws Exception {
    Path directory = WebAppDirectories.webApp("");
    ServletServer.Running running =
        server.start(directory, (types, context) -> register(context, weir));
    return new ServletServer.Running(
        running.port(),
        () -> {
          running.stop().close();
          WebAppDirectories.delete(directory);
        });
  }

  private static void register(ServletContext context, Weir weir) {
    filter(context, weir, "before");
    ServletAppBuilder.filter(context, "sign-in", new MaySignIn(), "/*");
    filter(context, weir, "after");
    servlet(context, "/api/posts/*", new Servlets.Free());
    servlet(context, "/api/*", new Servlets.Free());
    servlet(context, "/other", new Servlets.Free());
    servlet(context, "/api/search", new Search());
    servlet(context, "/api/login", new Login());
    servlet(context, "/api/dear", new Dear());
    servlet(context, "/api/echo", new Echo());
  }

  private static void filter(ServletContext context, Weir weir, String phase) {
    ServletAppBuilder.filter(context, phase, new RateLimitFilter(weir), "/*")
        .setInitParameter("phase", phase);
  }

  private static void servlet(ServletContext context, String pattern, Servlet servlet) {
    context.addServlet(pattern, servlet).addMapping(pattern);
  }

  /** Signs in by the header field User, and admits requests without it. */
  private static final class MaySignIn extends HttpFilter {
    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      @Nullable String user = request.getHeader("User");
      if (user == null) {
        chain.doFilter(request, response);
      } else if (user.equals("nobody")) {
        response.sendError(401);
      } else {
        chain.doFilter(signedIn(request, user), response);
      }
    }

    private static HttpServletRequest signedIn(HttpServletRequest request, String user) {
      return new HttpServletRequestWrapper(request) {
        @Override
        public Principal getUserPrincipal() {
          return () -> user;
        }
      };
    }
  }

  /** By user. */
  static final class Search extends CountingServlet {
    @Override
    @RateLimit(
        limit = 5,
        window = 60,
        by = By.USER,
        tiers = @Tier(name = "silver", limit = 15),
        name = "search")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** By address, before the sign-in. */
  static final class Login extends CountingServlet {
    @Override
    @RateLimit(limit = 5, window = 60, name = "login")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  /** Answers with the body of the request. */
  static final class Echo extends HttpServlet {
    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      request.getInputStream().transferTo(response.getOutputStream());
    }
  }

  /** Two permits each. */
  static final class Dear extends CountingServlet {
    @Override
    @RateLimit(limit = 10, window = 60, cost = 2, name = "dear")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }
}
