package io.weir.metrics;

import static io.weir.metrics.DecisionsOf.decision;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Reason;
import io.weir.RegionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MicrometerMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerMetrics metrics = new MicrometerMetrics(registry);

  private double count(String policy, String outcome, String degraded) {
    return registry
        .get("weir.decisions")
        .tags("policy", policy, "outcome", outcome, "degraded", degraded)
        .counter()
        .count();
  }

  @ParameterizedTest
  @CsvSource({
    "ADMITTED, admitted",
    "SOFT, soft",
    "ELASTIC, elastic",
    "REFUSED, refused",
    "SHADOW_REFUSED, shadow-refused"
  })
  void countsEachOutcomeUnderItsName(Outcome outcome, String tag) {
    metrics.decided(decision("search", outcome, false, Key.everybody()));
    metrics.decided(decision("search", outcome, true, Key.everybody()));
    metrics.decided(decision("search", outcome, true, Key.everybody()));

    assertEquals(1, count("search", tag, "false"));
    assertEquals(2, count("search", tag, "true"));
  }

  @ParameterizedTest
  @CsvSource({"REFUSED, refused", "SHADOW_REFUSED, shadow-refused"})
  void countsApartWhatTheLoadRefuses(Outcome outcome, String tag) {
    for (boolean degraded : List.of(false, false, true)) {
      metrics.decided(
          decision("feed", outcome, Reason.REDUCED_CAPACITY, degraded, Key.everybody()));
    }
    metrics.decided(decision("feed", outcome, Reason.QUOTA_EXCEEDED, false, Key.everybody()));
    assertEquals(List.of(2.0, 1.0), List.of(byLoad(tag, "false"), byLoad(tag, "true")));
  }

  @Test
  void countsStrikesAndBans() {
    metrics.struck("login");
    metrics.struck("login");
    metrics.banned("login", false);
    metrics.banned("login", true);
    assertEquals(2, registry.get("weir.strikes").tag("policy", "login").counter().count());
    for (String shadow : List.of("true", "false")) {
      assertEquals(
          1, registry.get("weir.bans").tags("policy", "login", "shadow", shadow).counter().count());
    }
  }

  private double byLoad(String outcome, String degraded) {
    return registry
        .get("weir.decisions")
        .tags("policy", "feed", "outcome", outcome, "degraded", degraded, "overloaded", "true")
        .counter()
        .count();
  }

  @Test
  void atMostAThousandPoliciesAreLabelsAndTheRestIsOther() {
    for (int i = 0; i < 1_500; i++) {
      metrics.decided(decision("rule" + i, Outcome.ADMITTED, false, Key.everybody()));
    }
    metrics.decided(decision("rule999", Outcome.ADMITTED, false, Key.everybody()));
    metrics.decided(decision("rule1000", Outcome.ADMITTED, false, Key.everybody()));
    assertEquals(2, count("rule999", "admitted", "false"));
    assertEquals(501, count("other", "admitted", "false"));
    assertEquals(1_001, registry.find("weir.decisions").meters().size());
  }

  @Test
  void neverHasAMeterOrALabelByKey() {
    for (int i = 0; i < 1_000; i++) {
      for (Outcome outcome : Outcome.values()) {
        for (String policy : List.of("a", "b")) {
          metrics.decided(decision(policy, outcome, i % 2 == 0, Key.user("caller" + i)));
        }
      }
    }
    assertEquals(2 * Outcome.values().length * 2, registry.find("weir.decisions").meters().size());
    for (Meter meter : registry.getMeters()) {
      assertTrue(
          meter.getId().getTags().stream().noneMatch(tag -> tag.getValue().contains("caller")));
    }
  }

  @Test
  void timesDecisions() {
    metrics.took(1_500);
    assertEquals(1, registry.get("weir.decision.time").timer().count());
    assertEquals(1_500, registry.get("weir.decision.time").timer().totalTime(TimeUnit.NANOSECONDS));
  }

  @Test
  void countsWhatIsAskedOfAStoreElsewhereAndHasNoSuchMetersBefore() {
    assertNull(registry.find("weir.exchanges").counter());
    metrics.storeExecuted(12, 1_000);
    metrics.storeExecuted(3, 500);
    metrics.storeFailed();
    assertEquals(15, registry.get("weir.exchanges").counter().count());
    assertEquals(2, registry.get("weir.store.time").timer().count());
    assertEquals(1_500, registry.get("weir.store.time").timer().totalTime(TimeUnit.NANOSECONDS));
    assertEquals(1, registry.get("weir.store.failures").counter().count());
  }

  @Test
  void showsRegionsUntilTheyAreClosed() {
    AtomicReference<Duration> age = new AtomicReference<>(Duration.ofMillis(1_500));
    Supplier<List<RegionStatus>> status =
        () -> List.of(region("eu", true, age.get()), region("us", false, age.get()));
    metrics.regions(status);
    assertEquals(9, registry.get("weir.region.dropped").gauge().value());
    assertEquals(List.of(0.0, 1.5, 3.0, 7.0), ofRegion("us"));
    assertNull(registry.find("weir.region.silence").tag("region", "eu").gauge());
    age.set(Duration.ofSeconds(20));
    assertEquals(List.of(1.0, 20.0, 40.0, 7.0), ofRegion("us"));
    assertEquals(1, registry.get("weir.region.away").tag("region", "eu").gauge().value());
    metrics.regionsClosed(status);
    assertEquals(List.of(), List.copyOf(registry.find("weir.region.unreported").gauges()));
    assertNull(registry.find("weir.region.dropped").gauge());
    assertEquals(List.of(), List.copyOf(registry.find("weir.region.away").gauges()));
  }

  @Test
  void showsTheRegionsOfEachLimiterOfOneRegistryUntilThatIsClosed() {
    Supplier<List<RegionStatus>> first = () -> List.of(region("eu", true, Duration.ZERO));
    Supplier<List<RegionStatus>> second =
        () -> List.of(region("eu", true, Duration.ZERO), region("us", false, Duration.ZERO));
    metrics.regions(first);
    new MicrometerMetrics(registry).regions(second);
    assertEquals(2, registry.find("weir.region.dropped").gauges().size());
    metrics.regionsClosed(first);
    assertEquals("2", registry.get("weir.region.dropped").gauge().getId().getTag("weir"));
    assertEquals("2", registry.get("weir.region.heard").gauge().getId().getTag("weir"));
  }

  private static RegionStatus region(String name, boolean isOwn, Duration age) {
    return new RegionStatus(
        name,
        isOwn,
        OptionalInt.empty(),
        Optional.of(age),
        Optional.of(age.multipliedBy(2)),
        7,
        9,
        age.toSeconds() >= 10,
        Optional.empty());
  }

  private List<Double> ofRegion(String name) {
    return Stream.of("away", "silence", "heard", "unreported")
        .map(each -> registry.get("weir.region." + each).tag("region", name).gauge().value())
        .toList();
  }

  @Test
  void showsTheBucketsOfEachLimiterOfOneRegistryUntilThatIsClosed() {
    MicrometerMetrics second = new MicrometerMetrics(registry);
    LongSupplier third = () -> 3;
    metrics.bucketsHeld(() -> 1);
    second.bucketsHeld(() -> 2);
    second.bucketsHeld(third);
    assertEquals(Map.of("1", 1.0, "2", 2.0, "3", 3.0), buckets());

    second.limiterClosed(third);
    assertEquals(Map.of("1", 1.0, "2", 2.0), buckets());
    metrics.close();
    assertEquals(Map.of("2", 2.0), buckets());
    metrics.bucketsHeld(() -> 4);
    assertEquals(Map.of("1", 4.0, "2", 2.0), buckets(), "numbers are used again");
    second.close();
    metrics.close();
    assertEquals(Map.of(), buckets());
  }

  private Map<String, Double> buckets() {
    return registry.find("weir.buckets").gauges().stream()
        .collect(Collectors.toMap(each -> each.getId().getTag("weir"), Gauge::value));
  }

  @Test
  void showsTheBucketsUntilItIsClosed() {
    metrics.bucketsHeld(() -> 42);
    assertEquals(42, registry.get("weir.buckets").gauge().value());

    metrics.close();
    metrics.close();
    assertNull(registry.find("weir.buckets").gauge());
  }
}
