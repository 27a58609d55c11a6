package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.restassured.response.Response;
import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Unlimited;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.servlet.RateLimitFilter;
import io.weir.testkit.FakeTicker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

/** Tests one limit for an application of servlets and JAX-RS resources on Tomcat. */
public abstract class ApplicationTests {
  private static final int LIMIT = 5;

  @TempDir java.nio.file.Path directory;
  private final FakeTicker ticker = new FakeTicker();
  private final Weir weir =
      Weir.builder()
          .ticker(ticker)
          .settings(
              Map.of(
                  "weir.application.limit", "" + LIMIT,
                  "weir.application.window", "60s",
                  "weir.application.except", "/probe"))
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

  /** A resource of every kind that matters here. */
  @Path("")
  public static class Resource {
    @GET
    @Path("limited")
    @RateLimit(limit = 100, window = 60, name = "limited")
    public String limited() {
      return "limited";
    }

    @GET
    @Path("plain")
    public String plain() {
      return "plain";
    }

    @GET
    @Path("probe")
    public String probe() {
      return "probe";
    }

    @GET
    @Path("exempt")
    @Unlimited
    public String exempt() {
      return "exempt";
    }
  }

  /** A servlet without any annotation, which may forward. */
  public static class Plain extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      String target = request.getParameter("to"); // a forwarded request has it too
      if (target == null || request.getDispatcherType() != DispatcherType.REQUEST) {
        response.getWriter().print("servlet");
      } else {
        request.getRequestDispatcher(target).forward(request, response);
      }
    }
  }

  /** A servlet with a limit of its own. */
  public static class Limited extends Plain {
    private static final long serialVersionUID = 1L;

    @Override
    @RateLimit(limit = 100, window = 60, name = "limited-servlet")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      super.doGet(request, response);
    }
  }

  /** A servlet that is exempt. */
  @Unlimited
  public static class Exempt extends Plain {
    private static final long serialVersionUID = 1L;
  }

  @BeforeEach
  void start() throws Exception {
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    add(context, servlet(Set.of(new Resource(), new RateLimitFeature(weir))), "/api/*");
    add(context, new Plain(), "/plain");
    add(context, new Limited(), "/limited");
    add(context, new Exempt(), "/exempt");
    add(context, new Plain(), "/probe");
    filter(context);
    tomcat.start();
    URI uri = URI.create("http://127.0.0.1:" + connector.getLocalPort());
    api = new Api(uri, weir, ticker);
  }

  private static void add(Context context, Servlet servlet, String path) {
    Wrapper wrapper = Tomcat.addServlet(context, path, servlet);
    wrapper.setAsyncSupported(true);
    wrapper.addMapping(path);
  }

  private void filter(Context context) {
    FilterDef definition = new FilterDef();
    definition.setFilterName("weir");
    definition.setFilter(new RateLimitFilter(weir));
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName("weir");
    map.addURLPattern("/*");
    for (DispatcherType each : DispatcherType.values()) {
      map.setDispatcher(each.name());
    }
    context.addFilterMap(map);
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
    weir.close();
  }

  @Test
  void aCallerHasOneBucketForServletsAndResources() {
    List<String> all = List.of("/plain", "/limited", "/api/plain", "/api/limited", "/plain");
    for (String path : all) {
      assertEquals(200, api.get(path).statusCode(), path);
    }
    for (String path : all) {
      Response refused = api.get(path);
      assertEquals(429, refused.statusCode(), path);
      assertEquals(List.of("application"), refused.path("violated-policies"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/plain",
        "/limited",
        "/api/plain",
        "/api/limited",
        "/plain?to=/limited",
        "/limited?to=/api/limited",
        "/plain?to=/api/exempt",
        "/exempt?to=/api/plain",
        "/exempt?to=/limited",
        "/plain?to=/probe",
        "/plain?to=/api/probe",
        "/probe?to=/plain",
        "/probe?to=/api/limited",
        "/probe?token=guess",
        "/api/probe?token=guess"
      })
  void aRequestIsChargedOnce(String path) {
    assertEquals(LIMIT, api.admitted(path));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/exempt", "/api/exempt", "/exempt?to=/api/exempt", "/probe", "/api/probe"})
  void whoIsExemptPaysNothingAndHearsOfNoLimit(String path) {
    for (int i = 0; i < 2 * LIMIT; i++) {
      Response answer = api.get(path);
      assertEquals(200, answer.statusCode());
      assertNull(answer.header("RateLimit-Policy"));
    }
    Response plain = api.get("/plain");
    assertEquals(List.of("application"), Fields.names(plain.header("RateLimit-Policy")));
    assertEquals(LIMIT - 1, Api.left(plain));
  }
}
