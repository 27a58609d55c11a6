package io.weir.compat.console;

import io.weir.Weir;
import io.weir.control.ControlFeature;
import io.weir.control.ControlServlet;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;

/** An application that signs people in by itself, and has mounted the console. */
final class MountedApplication implements AutoCloseable {
  private static final String COOKIE = "who";

  private final Tomcat tomcat = new Tomcat();
  private final Rules rules;
  private final Weir weir;
  private final Mounting mounting;
  private final Consumer<ServletContext> signIn;

  /** The ways to mount it. */
  enum Mounting {
    /** In the application's own Jersey. */
    JERSEY("/*", ""),
    /** As a servlet, for applications without Jersey. */
    SERVLET("/v1/*", ""),
    /** As a servlet below a path. */
    SERVLET_BELOW("/weir/*", "/weir");

    private final String mapping;
    private final String path;

    Mounting(String mapping, String path) {
      this.mapping = mapping;
      this.path = path;
    }

    /** The path below which the API is. */
    String path() {
      return path;
    }
  }

  MountedApplication(Mounting mounting) {
    this(mounting, "/login", MountedApplication::believe);
  }

  /**
   * Starts one with a sign-in of its own.
   *
   * @param signInPage the setting {@code weir.control.sign-in}
   * @param signIn adds the filters that sign people in
   */
  MountedApplication(Mounting mounting, String signInPage, Consumer<ServletContext> signIn) {
    this.mounting = mounting;
    this.signIn = signIn;
    weir =
        Weir.builder()
            .settings(
                Map.of(
                    "weir.store.timeout",
                    "10s", // a busy machine is no outage
                    "weir.rules.timeout",
                    "10s",
                    "weir.rules",
                    "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                    "weir.control.sign-in",
                    signInPage,
                    "weir.control.role.admin",
                    "boss",
                    "weir.control.role.view",
                    "watch"))
            .build();
    rules = Rules.of(weir).orElseThrow();
    rules.rules().save(Rule.builder("*", "/shop").limit(10).build(), "the tests");
    rules.refresh();
    tomcat.setBaseDir(Path.of("target", "tomcat").toAbsolutePath().toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", null);
    context.addServletContainerInitializer((types, servlets) -> install(servlets), Set.of());
    try {
      tomcat.start();
    } catch (LifecycleException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static void believe(ServletContext servlets) {
    filter(servlets, new SignedInFilter());
    servlets.addServlet("login", new LoginServlet()).addMapping("/login");
  }

  /** Puts a filter before all that the application serves. */
  static void filter(ServletContext servlets, Filter filter) {
    FilterRegistration.Dynamic added = servlets.addFilter("sign-in", filter);
    added.addMappingForUrlPatterns(null, false, "/*");
    added.setAsyncSupported(true);
  }

  private void install(ServletContext servlets) {
    signIn.accept(servlets);
    Servlet api =
        mounting == Mounting.JERSEY
            ? new ServletContainer(new ResourceConfig().register(new ControlFeature(weir, rules)))
            : new ControlServlet(weir, rules);
    ServletRegistration.Dynamic control = servlets.addServlet("control", api);
    control.addMapping(mounting.mapping);
    control.setAsyncSupported(true);
    control.setLoadOnStartup(1);
  }

  /** Saves a rule by the open form for a new one, since the page isn't taken for a foreign one. */
  void awaitSaved(Browser browser, String pattern) {
    browser.type("#rule-tier", "free");
    browser.type("#rule-endpointPattern", pattern);
    browser.type("#rule-limitCount", "7");
    browser.awaitText("#rule-said", "It can be saved");
    browser.click("#rule-save");
    Await.until(
        "it is saved",
        () -> rules.rules().all().stream().map(Rule::pattern).anyMatch(pattern::equals));
  }

  String url() {
    return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort();
  }

  Rules rules() {
    return rules;
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException failed) {
      throw new IllegalStateException(failed);
    } finally {
      weir.close();
    }
  }

  /** The application's page for signing in: it believes everybody. */
  private static final class LoginServlet extends HttpServlet {
    @Serial private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("text/html;charset=UTF-8");
      response
          .getWriter()
          .write(
              "<!doctype html><title>Shop</title><form method=post><input name=as id=as><input"
                  + " name=role id=role><button id=enter>Enter</button></form>");
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      Cookie cookie =
          new Cookie(COOKIE, request.getParameter("as") + "." + request.getParameter("role"));
      cookie.setHttpOnly(true);
      cookie.setPath("/");
      response.addCookie(cookie);
      response.setContentType("text/html;charset=UTF-8");
      response.getWriter().write("<!doctype html><title>Shop</title><p id=welcome>Welcome");
    }
  }

  /** Adds the signed-in user to requests. */
  private static final class SignedInFilter extends HttpFilter {
    @Serial private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String said = said(request);
      if (said == null) {
        chain.doFilter(request, response);
        return;
      }
      List<String> nameAndRole = List.of(said.split("[.]", 2));
      chain.doFilter(
          new HttpServletRequestWrapper(request) {
            @Override
            public Principal getUserPrincipal() {
              return () -> nameAndRole.get(0);
            }

            @Override
            public boolean isUserInRole(String role) {
              return nameAndRole.get(1).equals(role);
            }
          },
          response);
    }

    private static @Nullable String said(HttpServletRequest request) {
      Cookie[] cookies = request.getCookies();
      for (Cookie each : cookies == null ? new Cookie[0] : cookies) {
        if (each.getName().equals(COOKIE)) {
          return each.getValue();
        }
      }
      return null;
    }
  }
}
