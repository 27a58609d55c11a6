package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.test.architecture.Circles;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Classes of a package depend on each other in one direction, but for the circles named here. */
class CirclesOfClassesTest {
  private static final String BUILDER = "a type offers its builder, which returns the type";

  /** Each circle, and the reason why it stays. */
  private static final Map<String, String> KEPT =
      Map.ofEntries(
          Map.entry("io.weir: Policy, PolicyBuilder", BUILDER),
          Map.entry("io.weir: RateLimiter, RateLimiterBuilder", BUILDER),
          Map.entry("io.weir: Weir, WeirBuilder", BUILDER),
          Map.entry("io.weir.bucket4j: Bucket4jStore, Bucket4jStoreBuilder", BUILDER),
          Map.entry("io.weir.internal.permits: RequestDecision, RequestDecisionBuilder", BUILDER),
          Map.entry(
              "io.weir: SystemTicker, Ticker",
              "the interface offers its only built-in implementation"),
          Map.entry(
              "io.weir.adapter: LimitedRequest, RequestHolder", "a request may be its own holder"),
          Map.entry(
              "io.weir.store: ExactRequest, GcraRequest, StepRefillRequest",
              "a sealed type and its cases"),
          Map.entry(
              "io.weir.internal.application: WeirRegistry, WeirRuntime",
              "a Weir registers itself under its class loader, and the registry closes it"),
          Map.entry(
              "io.weir.internal.writeback.channel: ClaimSource, SentClaim",
              "a source makes claims, and the outcome of a claim names the source to ask again"),
          Map.entry(
              "io.weir.spi: DecisionMetrics, NoMetrics",
              "the interface offers its only built-in implementation"),
          Map.entry("io.weir.spi: DecisionTracing, NoTracing", "the same"));

  @Test
  void noClassesDependOnEachOtherInACircleUnlessItIsNamed() {
    assertEquals(new TreeMap<>(KEPT).keySet().stream().toList(), Circles.inModuleOf(Weir.class));
  }
}
