package io.weir.metrics;

import static io.weir.metrics.DecisionsOf.decision;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.Outcome;
import io.weir.Reason;
import io.weir.RegionStatus;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class DecisionCountsTest {
  private final DecisionCounts counts = new DecisionCounts();

  @Test
  void countsByPolicyAndOutcomeAndDegradedApart() {
    counts.decided(decision("a", Outcome.ADMITTED, false, Key.everybody()));
    counts.decided(decision("a", Outcome.ADMITTED, true, Key.everybody()));
    counts.decided(decision("a", Outcome.REFUSED, true, Key.everybody()));
    counts.decided(decision("b", Outcome.SHADOW_REFUSED, false, Key.everybody()));

    assertEquals(2, counts.of("a").of(Outcome.ADMITTED));
    assertEquals(1, counts.of("a").of(Outcome.REFUSED));
    assertEquals(0, counts.of("a").of(Outcome.SOFT));
    assertEquals(2, counts.of("a").degraded());
    assertEquals(1, counts.snapshot().get("b").of(Outcome.SHADOW_REFUSED));
    assertEquals(List.of("a", "b"), List.copyOf(counts.snapshot().keySet()));
  }

  @Test
  void countsApartWhatTheLoadRefuses() {
    counts.decided(decision("a", Outcome.REFUSED, Reason.QUOTA_EXCEEDED, false, Key.everybody()));
    counts.decided(decision("a", Outcome.REFUSED, Reason.REDUCED_CAPACITY, false, Key.everybody()));
    assertEquals(2, counts.of("a").of(Outcome.REFUSED));
    assertEquals(1, counts.of("a").overloaded());
  }

  @Test
  void countsStrikesAndBans() {
    counts.struck("a");
    counts.struck("a");
    counts.banned("a", true);
    assertEquals(2, counts.strikes("a"));
    assertEquals(1, counts.bans("a"));
    assertEquals(0, counts.strikes("b") + counts.bans("b"));
  }

  @Test
  void knowsNothingOfAPolicyThatNeverDecided() {
    assertEquals(0, counts.of("never").of(Outcome.ADMITTED));
    assertEquals(Outcome.values().length, counts.of("never").outcomes().size());
  }

  @Test
  void tellsHowLongDecisionsTook() {
    assertEquals(Duration.ZERO, counts.mean());
    counts.took(100);
    counts.took(300);
    assertEquals(Duration.ofNanos(200), counts.mean());
    assertEquals(Duration.ofNanos(300), counts.longest());
    assertEquals(2, counts.timed());
  }

  @Test
  void countsWhatIsAskedOfAStoreElsewhere() {
    counts.storeExecuted(12, 1_000);
    counts.storeExecuted(3, 500);
    counts.storeFailed();
    assertEquals(
        List.of(15L, 2L, 1L),
        List.of(counts.exchanges(), counts.storeCalls(), counts.storeFailures()));
  }

  @Test
  void readsTheBucketsUntilItIsClosed() {
    LongSupplier other = () -> 5;
    counts.bucketsHeld(() -> 7);
    counts.bucketsHeld(other);
    assertEquals(12, counts.buckets());
    counts.limiterClosed(other);
    assertEquals(7, counts.buckets());
    counts.close();
    assertEquals(0, counts.buckets());
  }

  @Test
  void readsTheRegionsUntilTheyAreClosed() {
    Supplier<List<RegionStatus>> other = () -> List.of(RegionStatus.ofShare("us", false, 40));
    counts.regions(() -> List.of(RegionStatus.ofShare("eu", true, 60)));
    counts.regions(other);
    assertEquals(List.of("eu", "us"), counts.regions().stream().map(RegionStatus::name).toList());
    counts.regionsClosed(other);
    assertEquals(List.of("eu"), counts.regions().stream().map(RegionStatus::name).toList());
    counts.close();
    assertEquals(List.of(), counts.regions());
  }
}
