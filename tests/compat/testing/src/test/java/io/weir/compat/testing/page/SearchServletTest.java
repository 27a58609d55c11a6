package io.weir.compat.testing.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.annotation.RateLimit;
import io.weir.servlet.RateLimitFilter;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.junit.WeirTest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@WeirTest
class SearchServletTest {
  static class SearchServlet extends HttpServlet {
    @Override
    @RateLimit(limit = 2, window = 60)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().println("found");
    }
  }

  private final Tomcat tomcat = new Tomcat();

  @BeforeEach
  void start(Weir weir, @TempDir Path directory) throws Exception {
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0); // any free port
    tomcat.getConnector();
    Context application = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(application, "search", new SearchServlet()).addMapping("/search");

    FilterDef limits = new FilterDef();
    limits.setFilterName("limits");
    limits.setFilter(new RateLimitFilter(weir));
    limits.setAsyncSupported("true");
    application.addFilterDef(limits);
    FilterMap everything = new FilterMap();
    everything.setFilterName("limits");
    everything.addURLPattern("/*");
    for (DispatcherType each : DispatcherType.values()) {
      everything.setDispatcher(each.name());
    }
    application.addFilterMap(everything);
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  private HttpResponse<String> search() throws Exception {
    int port = tomcat.getConnector().getLocalPort();
    URI uri = URI.create("http://localhost:" + port + "/search");
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }

  @Test
  void refusesTheThirdRequestUntilItsRetryAfter(FakeTicker ticker) throws Exception {
    assertEquals(200, search().statusCode());
    assertEquals(200, search().statusCode());
    HttpResponse<String> refused = search();
    assertEquals(429, refused.statusCode());

    long seconds = refused.headers().firstValueAsLong("Retry-After").orElseThrow();
    ticker.advance(Duration.ofSeconds(seconds));
    assertEquals(200, search().statusCode());
  }
}
