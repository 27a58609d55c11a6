package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.control.ControlFeature;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.rules.Rules;
import jakarta.annotation.Priority;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.Principal;
import java.util.Map;
import java.util.UUID;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Test;

/** Changes the limit of an annotation in the console of the application that has it. */
@NeedsChromium
class AnnotatedLimitTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** What the application limits. */
  @Path("/search")
  public static final class Search {
    /** Answers nothing of use. */
    @GET
    @RateLimit(limit = 50, window = 3_600, name = "search")
    public String search() {
      return "found";
    }
  }

  /** Signs everybody in as an administrator, as an application behind a closed door may. */
  @Priority(Priorities.AUTHENTICATION)
  private static final class SignIn implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext request) {
      request.setSecurityContext(
          new SecurityContext() {
            @Override
            public Principal getUserPrincipal() {
              return () -> "operator";
            }

            @Override
            public boolean isUserInRole(String role) {
              return role.equals("weir-admin");
            }

            @Override
            public boolean isSecure() {
              return false;
            }

            @Override
            public String getAuthenticationScheme() {
              return "test";
            }
          });
    }
  }

  private static int search(String address) {
    try {
      return CLIENT
          .send(
              HttpRequest.newBuilder(URI.create(address + "/search")).build(),
              BodyHandlers.discarding())
          .statusCode();
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }

  @Test
  void thePageMakesARuleThatChangesTheLimitOfAnAnnotation() throws Exception {
    try (Weir weir =
        Weir.builder()
            .settings(
                Map.of(
                    "weir.store",
                    "inprocess:",
                    "weir.store.timeout",
                    "10s", // a busy machine is no outage
                    "weir.rules.timeout",
                    "10s",
                    "weir.rules",
                    "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1"))
            .build()) {
      ResourceConfig application =
          new ResourceConfig()
              .register(new RateLimitFeature(weir))
              .register(new ControlFeature(weir, Rules.of(weir).orElseThrow()))
              .register(new SignIn())
              .register(Search.class);
      Server server = new Server();
      ServerConnector connector = new ServerConnector(server);
      connector.setHost("127.0.0.1");
      server.addConnector(connector);
      ServletContextHandler context = new ServletContextHandler();
      context.setContextPath("/");
      ServletHolder jersey = new ServletHolder(new ServletContainer(application));
      jersey.setAsyncSupported(true);
      context.addServlet(jersey, "/*");
      server.setHandler(context);
      server.start();
      String address = "http://127.0.0.1:" + connector.getLocalPort();
      try (Browser browser = new Browser(address)) {
        change(browser, address);
      } finally {
        server.stop();
      }
    }
  }

  private static void change(Browser browser, String address) {
    assertEquals(200, search(address));
    browser.load("/policies");
    browser.await("#who");
    browser.awaitText("#policies", "search");
    browser.awaitText("#policies", "application");
    browser.show("/policies/search", "policy");
    browser.awaitText("#policy-wins", "50 from the application");
    browser.click("#change-limit");
    browser.awaitText("#title", "New rule");
    assertEquals("policy:search", browser.value("#rule-endpointPattern"));
    assertEquals("50", browser.value("#rule-limitCount"));
    browser.type("#rule-limitCount", "2");
    browser.choose("#rule-state-choice", "ENFORCED");
    browser.awaitText("#rule-said", "It can be saved");
    browser.click("#rule-save");
    Await.until("the annotated endpoint refuses", () -> search(address) == 429);
    browser.show("/policies/search", "policy");
    browser.awaitText("#policy-wins", "2 from rule");
    browser.awaitText("#policy-wins", "50 from the application");
    assertTrue(browser.has("#who"));
    browser.assertFlawless("a policy of the application with a rule");
  }
}
