package io.weir.compat.jetty121;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests paths that Jetty doesn't decode, below context paths with and without an escape. */
class AmbiguousPathTest {
  private static final List<String> SEARCHES =
      List.of(
          "/search/a%2Fb",
          "/./search/x/../a%2Fb",
          "/search/a%2F..%2F..",
          "/search/a%2F..%2F..%2F..%2F..%2Fhealth/a");

  /** Interprets paths itself. */
  static final class All extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(HttpServletResponse.SC_OK);
    }
  }

  @ParameterizedTest
  @CsvSource({"/, ''", "/app, /%61pp", "/my app, /my%20app", "/my app, /x/../m%79%20app"})
  void aPathIsCountedBelowItsContextAsItWasMatched(String context, String sent) throws Exception {
    HttpConfiguration http = new HttpConfiguration();
    http.setUriCompliance(UriCompliance.UNSAFE);
    Server server = new Server();
    LocalConnector connector = new LocalConnector(server, new HttpConnectionFactory(http));
    server.addConnector(connector);
    ServletContextHandler application = new ServletContextHandler(context);
    application.addServlet(new ServletHolder(new All()), "/");
    server.setHandler(application);
    Map<String, String> settings =
        Map.of(
            "weir.policy.searches.url", "/search/*",
            "weir.policy.searches.limit", String.valueOf(SEARCHES.size()),
            "weir.policy.searches.window", "1h");
    try (Weir weir = Weir.builder().settings(settings).build()) {
      application.addFilter(
          new FilterHolder(new RateLimitFilter(weir)), "/*", EnumSet.allOf(DispatcherType.class));
      server.start();
      List<String> statuses = new ArrayList<>();
      for (String each : SEARCHES) {
        statuses.add(status(connector, sent + each));
      }
      assertEquals(List.of("200", "200", "200", "200"), statuses);
      assertEquals("429", status(connector, sent + "/search/a%2Fb"));
      assertEquals("200", status(connector, sent + "/other/a%2Fb"));
    } finally {
      server.stop();
    }
  }

  private static String status(LocalConnector connector, String target) throws Exception {
    String request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    return connector.getResponse(request).substring(9, 12);
  }
}
