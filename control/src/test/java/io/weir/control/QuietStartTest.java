package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.rules.Rules;
import io.weir.test.log.LogLines;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** A start with the API logs no warning, neither Weir's nor Jersey's about Weir. */
class QuietStartTest {
  @Test
  void theServletLogsNone() {
    assertEquals(
        List.of(), warnings((weir, rules) -> TomcatServer.start(weir, rules, "", "/v1/*")));
  }

  @Test
  void theFeatureLogsNoneThatJerseyAloneDoesNotLog() {
    List<String> ofJersey = warnings((weir, rules) -> jersey(new ResourceConfig()));
    List<String> all =
        warnings(
            (weir, rules) ->
                jersey(new ResourceConfig().register(new ControlFeature(weir, rules))));
    assertEquals(List.of(), all.stream().filter(each -> !ofJersey.contains(each)).toList());
  }

  private static Server jersey(ResourceConfig application) {
    HttpServer server =
        GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application);
    int port = server.getListener("grizzly").getPort();
    return new Server(URI.create("http://127.0.0.1:" + port), server::shutdownNow);
  }

  /** Starts an application and asks it, as Jersey may start with the first request. */
  private static List<String> warnings(BiFunction<Weir, Rules, Server> start) {
    try (LogLines log = new LogLines("");
        ControlApp app = new ControlApp(Map.of(), Optional.empty(), ControlApp.h2(), start)) {
      app.get("/v1/openapi.json", "alice/");
      return List.copyOf(log.warnings());
    }
  }
}
