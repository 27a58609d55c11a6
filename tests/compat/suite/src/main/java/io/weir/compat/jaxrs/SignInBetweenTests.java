package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.servlet.RateLimitFilter;
import io.weir.servlet.WeirInitializer;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeTicker;
import jakarta.annotation.Priority;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.SecurityContext;
import java.net.URI;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an application whose filter decides before the sign-in for all paths, and after it only for
 * servlets: resources sign users in themselves, and the feature decides after that.
 */
public abstract class SignInBetweenTests {
  private static final Policy RULE =
      Policy.builder("rule").limit(2).window(Duration.ofMinutes(1)).by(By.USER).build();

  @TempDir java.nio.file.Path directory;
  private final FakeTicker ticker = new FakeTicker();
  private final Weir weir =
      Weir.builder()
          .ticker(ticker)
          .settings(
              Map.of(
                  "weir.policy.urls.url", "/by-url",
                  "weir.policy.urls.by", "user",
                  "weir.policy.urls.limit", "1",
                  "weir.policy.urls.window", "60s"))
          .policySource(
              (request, tier, phase, bound) ->
                  CompletableFuture.completedFuture(
                      AppliedPolicies.of(
                          phase == DecisionPhase.AFTER_AUTHENTICATION
                                  && request.endpoint().equals("/ruled")
                              ? List.of(AppliedPolicy.of(RULE))
                              : List.of())))
          .build();
  private final Tomcat tomcat = new Tomcat();
  private Api api = new Api(URI.create("http://127.0.0.1"), weir, ticker);

  /**
   * Makes the servlet that runs JAX-RS.
   *
   * @param instances resources and features
   * @return a servlet that isn't started yet
   */
  protected abstract Servlet servlet(Set<Object> instances);

  /** Limited by user, and by rules. */
  @Path("/")
  public static class Resources {
    @GET
    @Path("profile")
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "users")
    @RateLimit(limit = 100, window = 60, name = "addresses")
    public String profile() {
      return "";
    }

    @GET
    @Path("ruled")
    public String ruled() {
      return "";
    }

    @GET
    @Path("by-url")
    public String byUrl() {
      return "";
    }
  }

  /** Signs in users by their names, without a password. */
  @Priority(Priorities.AUTHENTICATION)
  public static class SignIn implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      Principal user = () -> context.getHeaderString("User");
      SecurityContext former = context.getSecurityContext();
      context.setSecurityContext(
          new SecurityContext() {
            @Override
            public Principal getUserPrincipal() {
              return user;
            }

            @Override
            public boolean isUserInRole(String role) {
              return false;
            }

            @Override
            public boolean isSecure() {
              return former.isSecure();
            }

            @Override
            public String getAuthenticationScheme() {
              return "User";
            }
          });
    }
  }

  @BeforeEach
  void start() throws Exception {
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    Servlet jaxrs = servlet(Set.of(new Resources(), new SignIn(), new RateLimitFeature(weir)));
    Wrapper resources = Tomcat.addServlet(context, "jaxrs", jaxrs);
    resources.addMapping("/*");
    Tomcat.addServlet(context, "other", new HttpServlet() {}).addMapping("/servlets/*");
    add(context, "before", "/*");
    add(context, "after", "/servlets/*");
    context.addServletContainerInitializer(new WeirInitializer(), Set.of());
    tomcat.start();
    api = new Api(URI.create("http://127.0.0.1:" + connector.getLocalPort()), weir, ticker);
  }

  private void add(Context context, String phase, String mapping) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(phase);
    definition.setFilterClass(RateLimitFilter.class.getName());
    definition.setFilter(new RateLimitFilter(weir));
    definition.addInitParameter("phase", phase);
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(phase);
    map.addURLPattern(mapping);
    context.addFilterMap(map);
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
    weir.close();
  }

  @Test
  void theFeatureDecidesByTheUserWhomAResourcesFilterKnows() {
    for (String user : List.of("alice", "bob")) {
      assertEquals(2, api.admitted("/profile", "User", user), user);
    }
    Response refusal = api.get("/profile", "User", "alice");
    assertEquals(List.of("addresses", "users"), Fields.names(refusal.header("RateLimit-Policy")));
  }

  @Test
  void theFeatureAsksThePolicySourceBehindTheSignIn() {
    for (String user : List.of("alice", "bob")) {
      assertEquals(2, api.admitted("/ruled", "User", user), user);
    }
  }

  @Test
  void aUrlByUserIsDecidedRightBeforeTheServletByWhomServletsKnow() {
    assertEquals(200, api.get("/by-url", "User", "alice").statusCode());
    assertEquals(429, api.get("/by-url", "User", "bob").statusCode());
  }
}
