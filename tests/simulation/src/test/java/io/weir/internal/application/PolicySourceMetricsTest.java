package io.weir.internal.application;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.guard.GuardedRequest;
import io.weir.metrics.DecisionCounts;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.spi.SourceContext;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.FakeTicker;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A policy source measures what the application's metrics measure. */
class PolicySourceMetricsTest {
  static class Shop {
    @RateLimit(limit = 3, window = 60, by = By.IP, name = "search")
    public void search() {}
  }

  private static final class Source implements PolicySource {
    private final DecisionMetrics metrics;
    private @Nullable SourceContext context;

    Source(DecisionMetrics metrics) {
      this.metrics = metrics;
    }

    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      return CompletableFuture.completedStage(AppliedPolicies.none());
    }

    @Override
    public Optional<DecisionMetrics> metrics() {
      return Optional.of(metrics);
    }

    @Override
    public void start(SourceContext application) {
      context = application;
    }
  }

  /** Fails each call. */
  private static final class BrokenMetrics implements DecisionMetrics {
    @Override
    public void decided(Decision part) {
      throw new IllegalStateException("broken on purpose");
    }

    @Override
    public void took(long nanos) {
      throw new IllegalStateException("broken on purpose");
    }

    @Override
    public void bucketsHeld(LongSupplier held) {
      throw new IllegalStateException("broken on purpose");
    }
  }

  /** Counts how many decisions are timed. */
  private static final class TimedMetrics implements DecisionMetrics {
    private final boolean timed;
    private final LongAdder times = new LongAdder();

    TimedMetrics(boolean timed) {
      this.timed = timed;
    }

    @Override
    public boolean isTimed() {
      return timed;
    }

    @Override
    public void decided(Decision part) {}

    @Override
    public void took(long nanos) {
      times.increment();
    }

    @Override
    public void bucketsHeld(LongSupplier held) {}
  }

  private static void send(WeirRuntime weir, int number) throws NoSuchMethodException {
    for (int i = 0; i < number; i++) {
      GuardedRequest request =
          weir.endpoint(Shop.class, Shop.class.getMethod("search"), EndpointType.METHOD)
              .enter(FakeRequest.from("192.0.2.1").endpoint("/search"));
      if (request.decide(BEFORE_AUTHENTICATION).isEmpty()) {
        var unused = request.decide(AFTER_AUTHENTICATION);
      }
    }
  }

  private static void assertCounted(DecisionCounts counts) {
    assertEquals(3, counts.of("search").of(Outcome.ADMITTED));
    assertEquals(2, counts.of("search").of(Outcome.REFUSED));
  }

  @Test
  void bothReceiveEachDecision() throws NoSuchMethodException {
    DecisionCounts ofSource = new DecisionCounts();
    DecisionCounts ofApplication = new DecisionCounts();
    try (WeirRuntime weir =
        new DefaultWeirBuilder()
            .ticker(new FakeTicker())
            .policySource(new Source(ofSource))
            .metrics(ofApplication)
            .build()) {
      send(weir, 5);
      assertCounted(ofSource);
      assertCounted(ofApplication);
      assertEquals(1, ofSource.buckets());
      assertEquals(1, ofApplication.buckets());
    }
    assertEquals(0, ofSource.buckets());
    assertEquals(0, ofApplication.buckets());
  }

  @Test
  void theFailureOfOneIsNotTheOthers() throws NoSuchMethodException {
    try (LogLines quiet = new LogLines()) {
      DecisionCounts counts = new DecisionCounts();
      try (WeirRuntime weir =
          new DefaultWeirBuilder()
              .ticker(new FakeTicker())
              .policySource(new Source(new BrokenMetrics()))
              .metrics(counts)
              .build()) {
        send(weir, 5);
        assertCounted(counts);
      }
      DecisionCounts ofSource = new DecisionCounts();
      try (WeirRuntime weir =
          new DefaultWeirBuilder()
              .ticker(new FakeTicker())
              .policySource(new Source(ofSource))
              .metrics(new BrokenMetrics())
              .build()) {
        send(weir, 5);
        assertCounted(ofSource);
      }
      assertFalse(quiet.containing("metrics failed").isEmpty());
    }
  }

  /** Returns whether some of 2,000 decisions are timed; one in 64 is. */
  private static boolean isTimed(TimedMetrics ofSource, Optional<TimedMetrics> ofApplication)
      throws NoSuchMethodException {
    DefaultWeirBuilder builder =
        new DefaultWeirBuilder()
            .ticker(new FakeTicker())
            .policySource(new Source(ofSource))
            .metrics(DecisionMetrics.none());
    ofApplication.ifPresent(builder::metrics);
    try (WeirRuntime weir = builder.build()) {
      send(weir, 2_000);
    }
    long times = ofSource.times.sum();
    ofApplication.ifPresent(both -> assertEquals(times, both.times.sum()));
    return times > 0;
  }

  @Test
  void decisionsAreTimedOnlyIfSomebodyMeasuresThat() throws NoSuchMethodException {
    assertTrue(isTimed(new TimedMetrics(true), Optional.empty()));
    assertFalse(isTimed(new TimedMetrics(false), Optional.empty()));
    assertTrue(isTimed(new TimedMetrics(false), Optional.of(new TimedMetrics(true))));
    assertTrue(isTimed(new TimedMetrics(true), Optional.of(new TimedMetrics(false))));
    assertFalse(isTimed(new TimedMetrics(false), Optional.of(new TimedMetrics(false))));
  }

  @Test
  void aSourceLearnsWhetherTheStoreIsAway() {
    Source source = new Source(new DecisionCounts());
    try (WeirRuntime weir = new DefaultWeirBuilder().policySource(source).build()) {
      assertTrue(source.context != null && !source.context.isStoreAway());
      assertFalse(weir.isStoreAway());
    }
  }
}
