package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.compat.BoundRequest;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import io.weir.compat.jaxrs.server.SignInFilter;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.servlet.RateLimitFilter;
import io.weir.testkit.FakeTicker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.container.Suspended;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests an application on Tomcat with the servlet filter and the feature, and one Weir. */
public abstract class BothAdaptersTests {
  @TempDir java.nio.file.Path directory;
  private final FakeTicker ticker = new FakeTicker();
  private final Weir weir = Weir.builder().ticker(ticker).settings(settings()).build();
  private final Tomcat tomcat = new Tomcat();
  private final Set<Boolean> stayed = ConcurrentHashMap.newKeySet();
  private Api api = new Api(URI.create("http://127.0.0.1"), weir, ticker);

  private static Map<String, String> settings() {
    return Map.ofEntries(
        Map.entry("weir.policy.logins.url", "/api/hello/login, *.zip"),
        Map.entry("weir.policy.logins.limit", "2"),
        Map.entry("weir.policy.logins.window", "60s"),
        Map.entry("weir.policy.rewritten.url", "/rewriting/hello/plain"),
        Map.entry("weir.policy.rewritten.limit", "2"),
        Map.entry("weir.policy.rewritten.window", "60s"),
        Map.entry("weir.policy.all.url", "/*"),
        Map.entry("weir.policy.all.limit", "1000"),
        Map.entry("weir.policy.all.window", "1h"),
        Map.entry("weir.default.limit", "50"),
        Map.entry("weir.default.window", "60s"));
  }

  /**
   * Makes the servlet that runs JAX-RS.
   *
   * @param instances resources and features
   * @return a servlet that isn't started yet
   */
  protected abstract Servlet servlet(Set<Object> instances);

  /** A resource of every kind that matters here. */
  @Path("hello")
  public static class Hello {
    private static final Policy WOVEN =
        Policy.builder("woven").limit(1).window(Duration.ofMinutes(1)).build();
    private final Weir weir;

    Hello(Weir weir) {
      this.weir = weir;
    }

    @GET
    @RateLimit(limit = 3, window = 60, name = "hello")
    public String hello() {
      return "" + weir.requestsInFlight();
    }

    @GET
    @Path("later")
    @RateLimit(limit = 3, window = 60, name = "later")
    public void later(@Suspended AsyncResponse response) {
      response.resume("later");
    }

    @GET
    @Path("guess")
    @RateLimit(limit = 2, window = 60, name = "guess", count = Count.FAILURES)
    public String guess() {
      throw new WebApplicationException(401);
    }

    @GET
    @Path("mine")
    @RateLimit(limit = 1, window = 60, name = "mine", by = By.USER)
    public String mine() {
      return "mine";
    }

    @GET
    @Path("woven")
    @RateLimit(limit = 100, window = 60, name = "around")
    public String woven() {
      Decision decision = weir.limiter().tryAcquire(WOVEN, Key.everybody());
      if (!decision.admitted()) {
        throw new RateLimitExceededException(decision);
      }
      return "woven";
    }

    @GET
    @Path("{login: login|x.zip}")
    public String login() {
      return "limited by its path";
    }

    @GET
    @Path("once")
    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.HOURS, name = "once")
    public String once() {
      return woven();
    }

    @GET
    @Path("plain")
    public String plain() {
      return "limited by default";
    }
  }

  @BeforeEach
  void start() throws Exception {
    api = new Api(listen(), weir, ticker);
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
    weir.close();
  }

  @Test
  void eachRequestIsChargedOnceByEachPolicy() {
    assertEquals("1", api.get("/hello").body().asString());
    assertEquals(2, api.admitted("/hello"));
    assertEquals(429, api.get("/hello").statusCode());
    assertEquals(996, Api.left(api.get("/elsewhere")));
    assertEquals(49, Api.left(api.get("/hello/plain")));
    assertEquals(48, Api.left(api.get("/hello/plain")));
    assertEquals(Set.of(true), stayed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/hello", "/hello/later"})
  void theFieldsTellOfThePoliciesOfBoth(String path) {
    for (int left = 2; left >= 0; left--) {
      Response answer = api.get(path);
      assertEquals(200, answer.statusCode());
      assertOneSetOfFields(answer, left, path.equals("/hello") ? "hello" : "later");
    }
    Response refusal = api.get(path);
    assertEquals(429, refusal.statusCode());
    assertOneSetOfFields(refusal, 0, path.equals("/hello") ? "hello" : "later");
    assertEquals(1, refusal.headers().getList("Retry-After").size());
    assertEquals(
        true, Integer.parseInt(refusal.header("Retry-After")) <= 61, "of the one that refuses");
  }

  private static void assertOneSetOfFields(Response answer, int left, String closest) {
    assertEquals(List.of("all", closest), Fields.names(answer.header("RateLimit-Policy")));
    assertEquals(List.of(closest), Fields.names(answer.header("RateLimit")));
    assertEquals(left, Api.left(answer));
    assertEquals("3", answer.header("X-RateLimit-Limit"));
    assertEquals("" + left, answer.header("X-RateLimit-Remaining"));
    for (String field : List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Reset")) {
      assertEquals(1, answer.headers().getList(field).size(), field);
    }
  }

  @Test
  void aRequestThatTheFeatureRefusesIsNotChargedToThePath() {
    assertEquals(3, api.admitted("/hello"));
    for (int i = 0; i < 5; i++) {
      assertEquals(429, api.get("/hello").statusCode());
    }
    assertEquals(996, Api.left(api.get("/elsewhere")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/hello/login", "/api/hello/x.zip", "/hello/x.zip"})
  void aSlashAtTheEndIsTheSameMethodAndTheSamePath(String path) {
    assertEquals(200, api.get(path + "/").statusCode());
    assertEquals(200, api.get(path).statusCode());
    assertEquals(429, api.get(path + "/").statusCode());
    assertEquals(429, api.get(path).statusCode());
  }

  @Test
  void noMoreSignInsAreTriedThanThePathAllows() {
    assertEquals(200, api.get("/hello/mine", "User", "alice").statusCode());
    for (int i = 0; i < 9; i++) {
      assertEquals(429, api.get("/hello/mine", "User", "alice").statusCode());
    }
    assertEquals(989, Api.left(api.get("/elsewhere")), "ten have signed in");
  }

  @Test
  void aServletThatForwardsToAResourceStaysCharged() {
    assertEquals(3, api.admitted("/hello"));
    for (int i = 0; i < 3; i++) {
      Response refusal = api.get("/front");
      assertEquals(429, refusal.statusCode());
      assertEquals(
          List.of("front", "all", "hello"), Fields.names(refusal.header("RateLimit-Policy")));
    }
    Response last = api.get("/front?none");
    assertEquals("front", Fields.names(last.header("RateLimit")).get(0));
    assertEquals(6, Api.left(last), "the front has run four times");
  }

  /** Forwards to a resource unless the query says otherwise. */
  static final class Front extends HttpServlet {
    @Override
    @RateLimit(limit = 10, window = 60, name = "front")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      if (request.getQueryString() == null) {
        request.getRequestDispatcher("/hello").forward(request, response);
      }
    }
  }

  /** Leads requests to another resource than they have named. */
  @PreMatching
  public static final class Rewriting implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      String path = context.getHeaderString("X-Rewrite");
      if (path != null) {
        context.setRequestUri(context.getUriInfo().getBaseUriBuilder().path(path).build());
      }
    }
  }

  @Test
  void noRewrittenPathLeadsPastTheLimitOfItsUrl() {
    for (int status : List.of(200, 200, 429, 429)) {
      Response answer = api.get("/rewriting/hello/once", "X-Rewrite", "hello/plain");
      assertEquals(status, answer.statusCode());
      assertTrue(Fields.names(answer.header("RateLimit-Policy")).contains("rewritten"));
    }
    assertEquals(429, api.get("/rewriting/hello/plain").statusCode());
  }

  @Test
  void failuresAreCountedByBoth() {
    assertEquals(401, api.get("/hello/guess").statusCode());
    assertEquals(401, api.get("/hello/guess").statusCode());
    assertEquals(429, api.get("/hello/guess").statusCode());
    assertEquals(997, Api.left(api.get("/elsewhere")));
  }

  @Test
  void theRefusalOfAWovenMethodHasNoFieldsOfOthers() {
    assertEquals(200, api.get("/hello/woven").statusCode());
    Response refusal = api.get("/hello/woven");
    assertEquals(429, refusal.statusCode());
    assertEquals(List.of("woven"), Fields.names(refusal.header("RateLimit-Policy")));
    assertEquals("1", refusal.header("X-RateLimit-Limit"));
    assertNotNull(refusal.header("Retry-After"));
  }

  @Test
  void theRefusalOfAWovenMethodSaysWhenItsResourceIsFreeAgain() {
    assertEquals(200, api.get("/hello/woven").statusCode());
    Response refusal = api.get("/hello/once");
    assertEquals(429, refusal.statusCode());
    assertEquals(List.of("woven"), Fields.names(refusal.header("RateLimit-Policy")));
    int seconds = Integer.parseInt(refusal.header("Retry-After"));
    assertTrue(seconds > 3_500, "the resource is used up for an hour: " + seconds);
    assertEquals(seconds, refusal.jsonPath().getInt("retryAfter"));
    api.pass(Duration.ofSeconds(seconds));
    assertEquals(200, api.get("/hello/once").statusCode());
  }

  private URI listen() throws Exception {
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    Servlet servlet =
        servlet(Set.of(new Hello(weir), new SignInFilter(), new RateLimitFeature(weir)));
    Wrapper jaxrs = Tomcat.addServlet(context, "jaxrs", servlet);
    jaxrs.setAsyncSupported(true);
    jaxrs.addMapping("/*");
    jaxrs.addMapping("/api/*");
    Servlet rewriting =
        servlet(Set.of(new Hello(weir), new Rewriting(), new RateLimitFeature(weir)));
    Tomcat.addServlet(context, "rewriting", rewriting).addMapping("/rewriting/*");
    Tomcat.addServlet(context, "front", new Front()).addMapping("/front");
    add(context, "weir", new RateLimitFilter(weir));
    add(context, "within", this::remember);
    tomcat.start();
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  private static void add(Context context, String name, Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(name);
    map.addURLPattern("/*");
    map.setDispatcher(DispatcherType.REQUEST.name());
    map.setDispatcher(DispatcherType.FORWARD.name());
    context.addFilterMap(map);
  }

  /** Runs between the filter and JAX-RS, and checks that the thread keeps its request. */
  private void remember(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<Object> before = BoundRequest.identity();
    chain.doFilter(request, response);
    stayed.add(before.isPresent() && before.equals(BoundRequest.identity()));
  }
}
