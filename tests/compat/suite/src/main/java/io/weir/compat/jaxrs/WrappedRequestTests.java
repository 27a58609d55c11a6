package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.FirstAddressFilter;
import io.weir.compat.jaxrs.server.Api;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.testkit.FakeTicker;
import jakarta.servlet.Servlet;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an application of JAX-RS on Tomcat behind a servlet filter that reports another address
 * than the container, and hides the header that it is taken from.
 */
public abstract class WrappedRequestTests {
  @TempDir java.nio.file.Path directory;

  /**
   * Makes the servlet that runs JAX-RS.
   *
   * @param instances resources and features
   * @return a servlet that isn't started yet
   */
  protected abstract Servlet servlet(Set<Object> instances);

  /** Limits by address, before the sign-in and after it. */
  @Path("/")
  public static class Counted {
    /** For the tests. */
    Counted() {}

    @GET
    @Path("address")
    @RateLimit(limit = 2, window = 60, by = By.IP, name = "address")
    public String address() {
      return "counted by address";
    }

    @GET
    @Path("user")
    @RateLimit(limit = 2, window = 60, by = By.USER, name = "user")
    public String user() {
      return "counted by address, without a user";
    }
  }

  /** Sends three requests whose callers invent an address each. */
  private static List<Integer> forged(Api api, String path, String rest) {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      statuses.add(api.get(path, "X-Forwarded-For", "203.0.113." + i + rest).statusCode());
    }
    return statuses;
  }

  @Test
  void noCallerChoosesItsAddressByAFilter() throws Exception {
    serve(
        Map.of(),
        api -> {
          assertEquals(List.of(200, 200, 429), forged(api, "/address", ""));
          assertEquals(List.of(200, 200, 429), forged(api, "/user", ""));
        });
  }

  @Test
  void trustedProxiesAreBelievedThoughAFilterHidesTheirFields() throws Exception {
    serve(
        Map.of("weir.proxy.trusted", "127.0.0.1"),
        api -> {
          for (int i = 1; i <= 2; i++) {
            String caller = ", 198.51.100." + i;
            assertEquals(List.of(200, 200, 429), forged(api, "/address", caller));
            assertEquals(List.of(200, 200, 429), forged(api, "/user", caller));
          }
        });
  }

  /** Sends requests to the application, and asserts what comes back. */
  private interface Client {
    void use(Api api);
  }

  private void serve(Map<String, String> settings, Client client) throws Exception {
    FakeTicker ticker = new FakeTicker();
    WeirBuilder builder = Weir.builder().ticker(ticker).settings(settings);
    Tomcat tomcat = new Tomcat();
    try (Weir weir = builder.build()) {
      tomcat.setBaseDir(directory.toString());
      Connector connector = new Connector();
      connector.setPort(0);
      connector.setProperty("address", "127.0.0.1");
      tomcat.setConnector(connector);
      Context context = tomcat.addContext("", directory.toString());
      Servlet servlet = servlet(Set.of(new Counted(), new RateLimitFeature(weir)));
      Wrapper jaxrs = Tomcat.addServlet(context, "jaxrs", servlet);
      jaxrs.setAsyncSupported(true);
      jaxrs.addMapping("/*");
      addFilter(context);
      tomcat.start();
      String base = "http://127.0.0.1:" + connector.getLocalPort();
      client.use(new Api(URI.create(base), weir, ticker));
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private static void addFilter(Context context) {
    FilterDef definition = new FilterDef();
    definition.setFilterName("first");
    definition.setFilter(new FirstAddressFilter());
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName("first");
    map.addURLPattern("/*");
    context.addFilterMap(map);
  }
}
