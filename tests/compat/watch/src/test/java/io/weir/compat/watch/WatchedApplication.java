package io.weir.compat.watch;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.annotation.Mode;
import io.weir.annotation.Priority;
import io.weir.metrics.MicrometerMetrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * An application with a policy for each outcome and a region that is away, whose metrics can be
 * scraped.
 */
final class WatchedApplication implements AutoCloseable {
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Policy> policies =
      List.of(
          Policy.builder(WatchedRun.POLICY)
              .limit(100)
              .window(WINDOW)
              .mode(Mode.SOFT)
              .exceedBy(20)
              .build(),
          Policy.builder("report").limit(50).window(WINDOW).mode(Mode.ELASTIC).exceedBy(50).build(),
          Policy.builder("hello").limit(10).window(WINDOW).shadow(true).build(),
          Policy.builder("batch").limit(10_000).window(WINDOW).priority(Priority.LOW).build());
  private final Weir weir;
  private final HttpServer http;
  private volatile double load;

  WatchedApplication(String store) {
    weir =
        Weir.builder()
            .onlyGivenSettings()
            .settings(
                Map.of(
                    "weir.store", store,
                    "weir.secret", "a secret of the tests",
                    "weir.region", "eu",
                    "weir.region.us.store", "redis://127.0.0.1:1"))
            .loadSensor(() -> load)
            .metrics(new MicrometerMetrics(registry))
            .build();
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    http.createContext(
        "/actuator/prometheus",
        exchange -> {
          byte[] text = scrape().getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    http.start();
  }

  String address() {
    return "127.0.0.1:" + http.getAddress().getPort();
  }

  String scrape() {
    return registry.scrape();
  }

  /** Sets how loaded the node is, 0 to 1. */
  void load(double value) {
    load = value;
  }

  /** Has a request decided by each policy. */
  void request() {
    for (Policy each : policies) {
      Decision unused = weir.limiter().tryAcquire(each, Key.of("alice"));
    }
  }

  @Override
  public void close() {
    http.stop(0);
    weir.close();
  }
}
