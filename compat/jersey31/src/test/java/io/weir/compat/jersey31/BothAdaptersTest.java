package io.weir.compat.jersey31;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.guard.CurrentRequest;
import io.weir.guard.Weir;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.key.RequestInfo;
import io.weir.servlet.RateLimitFilter;
import io.weir.testkit.FakeTicker;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that has the filter for servlets and the feature, with one Weir. */
class BothAdaptersTest {
  @TempDir java.nio.file.Path directory;
  private final Set<Boolean> stayed = ConcurrentHashMap.newKeySet();

  @Path("hello")
  public static class Hello {
    private final Weir weir;

    Hello(Weir weir) {
      this.weir = weir;
    }

    @GET
    @RateLimit(limit = 3, window = 60)
    public String hello() {
      return "" + weir.inFlight().current();
    }

    @GET
    @Path("plain")
    public String plain() {
      return "limited by default";
    }
  }

  @Test
  void eachRequestIsChargedOnceByEachPolicy() throws Exception {
    FakeTicker ticker = new FakeTicker();
    Map<String, String> settings =
        Map.of(
            "weir.policy.all.url", "/*",
            "weir.policy.all.limit", "100",
            "weir.policy.all.window", "60s",
            "weir.default.limit", "50",
            "weir.default.window", "60s");
    try (Weir weir = Weir.builder().ticker(ticker).settings(settings).build()) {
      Tomcat tomcat = new Tomcat();
      try {
        Api api = new Api(start(tomcat, weir), weir, ticker);
        assertEquals("1", api.get("/hello").body().asString());
        assertEquals(2, api.admitted("/hello"));
        assertEquals(429, api.get("/hello").statusCode());
        assertEquals(94, Api.left(api.get("/elsewhere")));
        assertEquals(49, Api.left(api.get("/hello/plain")));
        assertEquals(48, Api.left(api.get("/hello/plain")));
        assertEquals(Set.of(true), stayed);
      } finally {
        tomcat.stop();
        tomcat.destroy();
      }
    }
  }

  private URI start(Tomcat tomcat, Weir weir) throws Exception {
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    ResourceConfig application =
        new ResourceConfig().register(new Hello(weir)).register(new RateLimitFeature(weir));
    Tomcat.addServlet(context, "jersey", new ServletContainer(application)).addMapping("/*");
    add(context, "weir", new RateLimitFilter(weir));
    add(context, "within", this::remember);
    tomcat.start();
    return URI.create("http://127.0.0.1:" + connector.getLocalPort());
  }

  private static void add(Context context, String name, Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(name);
    map.addURLPattern("/*");
    context.addFilterMap(map);
  }

  /** Stands between the filter and Jersey, and notes whether the thread's request stays. */
  private void remember(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<RequestInfo> before = CurrentRequest.get();
    chain.doFilter(request, response);
    stayed.add(before.isPresent() && before.equals(CurrentRequest.get()));
  }
}
