package io.weir.compat.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.spi.DecisionTracing;
import io.weir.tracing.MicrometerTracing;
import jakarta.servlet.Filter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the attributes of real spans: of OpenTelemetry's SDK, and of Micrometer's bridge to it. */
class SpansTest {
  private static final AttributeKey<String> POLICY = AttributeKey.stringKey("weir.policy");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("weir.outcome");
  private static final AttributeKey<Double> WAIT = AttributeKey.doubleKey("weir.store.wait_ms");
  private static final Policy HELLO =
      Policy.builder("hello").limit(5).window(Duration.ofMinutes(1)).build();

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
  private final Tracer tracer = provider.get("tests");

  @AfterEach
  void close() {
    provider.close();
  }

  private List<Attributes> attributes() {
    return exporter.getFinishedSpanItems().stream().map(SpanData::getAttributes).toList();
  }

  private static Weir weir(WeirBuilder builder) {
    return builder.onlyGivenSettings().build();
  }

  private static void decide(Weir weir) {
    Decision unused = weir.limiter().tryAcquire(HELLO, Key.of("alice"));
  }

  private Filter traces() {
    return (request, response, chain) -> {
      Span span = tracer.spanBuilder("GET").startSpan();
      try (Scope scope = span.makeCurrent()) {
        chain.doFilter(request, response);
      } finally {
        span.end();
      }
    };
  }

  @Test
  void requestsOfServletsAndResources() throws Exception {
    try (TracedServer server = new TracedServer(traces())) {
      for (String path : List.of("/servlet", "/jersey/resource")) {
        assertEquals(200, server.get(path));
        assertEquals(429, server.get(path));
      }
    }
    // a span ends after the response was sent, perhaps when the next one has ended already
    Await.until("all spans have ended", () -> attributes().size() == 4);
    List<String> all =
        attributes().stream()
            .map(each -> each.get(POLICY) + " " + each.get(OUTCOME))
            .sorted()
            .toList();
    assertEquals(
        List.of(
            "of-resource admitted",
            "of-resource refused",
            "of-servlet admitted",
            "of-servlet refused"),
        all);
    for (Attributes each : attributes()) {
      assertEquals(3, each.size(), "nothing of the caller: " + each);
      assertEquals(0.0, each.get(WAIT));
    }
  }

  @Test
  void theWaitForASharedStoreIsRecordedAndCostsNoSpan() {
    try (RedisServer redis = RedisServer.start();
        Weir weir =
            weir(
                Weir.builder()
                    .settings(Map.of("weir.store", redis.url(), "weir.secret", "of the tests")))) {
      Span span = tracer.spanBuilder("GET").startSpan();
      try (Scope scope = span.makeCurrent()) {
        decide(weir);
      } finally {
        span.end();
      }
    }
    assertEquals(1, attributes().size());
    assertTrue(attributes().get(0).get(WAIT) > 0, attributes().toString());
    assertFalse(exporter.getFinishedSpanItems().toString().contains("alice"));
  }

  @Test
  void aSpanThatIsNotRecordingAndNoSpanAreLeftAlone() {
    try (SdkTracerProvider sampled =
            SdkTracerProvider.builder()
                .setSampler(Sampler.alwaysOff())
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build();
        Weir weir = weir(Weir.builder())) {
      decide(weir);
      Span span = sampled.get("tests").spanBuilder("GET").startSpan();
      try (Scope scope = span.makeCurrent()) {
        decide(weir);
      } finally {
        span.end();
      }
    }
    assertEquals(List.of(), exporter.getFinishedSpanItems());
  }

  @Test
  void withoutASpanADecisionAllocatesNothingMore() {
    try (Weir traced = weir(Weir.builder());
        Weir untraced = weir(Weir.builder().tracing(DecisionTracing.none()))) {
      double before = (double) allocated(untraced);
      assertEquals(before, (double) allocated(traced), before / 100, "bytes");
    }
  }

  /** Returns the bytes that many decisions allocate, once all that is made only once is there. */
  private static long allocated(Weir weir) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1_000; i++) {
        decide(weir);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  @Test
  void spansOfMicrometerTracingThroughItsTracerAndThroughOpenTelemetry() {
    OtelTracer bridge = new OtelTracer(tracer, new OtelCurrentTraceContext(), event -> {});
    try (Weir byTracer = weir(Weir.builder().tracing(new MicrometerTracing(bridge)));
        Weir found = weir(Weir.builder())) {
      for (Weir weir : List.of(byTracer, found)) {
        decide(weir); // without a span
        io.micrometer.tracing.Span span = bridge.nextSpan().name("GET").start();
        try (var scope = bridge.withSpan(span)) {
          decide(weir);
        } finally {
          span.end();
        }
      }
    }
    assertEquals(2, attributes().size());
    for (Attributes each : attributes()) {
      assertEquals("hello", each.get(POLICY));
      assertEquals("admitted", each.get(OUTCOME));
      assertEquals(0.0, each.get(WAIT));
      assertEquals(
          Set.of("weir.policy", "weir.outcome", "weir.store.wait_ms"),
          Set.copyOf(each.asMap().keySet().stream().map(AttributeKey::getKey).toList()));
    }
  }
}
