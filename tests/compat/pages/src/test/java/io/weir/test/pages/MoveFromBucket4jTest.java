package io.weir.test.pages;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.WeirBuilder;
import io.weir.annotation.Algorithm;
import io.weir.spi.CallerTier;
import io.weir.test.pages.MovingTable.Row;
import io.weir.testkit.FakeTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tries each row of docs/moving.md about Bucket4j: both libraries on one virtual clock. */
class MoveFromBucket4jTest {
  private static final Policy POLICY =
      Policy.builder("api")
          .limit(10)
          .window(ofMinutes(1))
          .algorithm(Algorithm.TOKEN_BUCKET)
          .build();
  private static final Key KEY = Key.user("alice");

  @TempDir private Path folder;
  private MovingCode theirs;
  private MovingCode ours;

  @TestFactory
  Stream<DynamicTest> eachRow() {
    MovingTable table = MovingTable.below("Bucket4j");
    theirs =
        table.compileTheirs(
            folder,
            "LocalBucketBuilder builder, Bucket bucket, BucketConfiguration twenty,"
                + " Instant firstHour");
    ours = table.compileOurs(folder, "Cells");
    return table
        .row("capacity(10).refillGreedy(10, ofMinutes(1)))", this::admitTheSame)
        .row("capacity(50)", this::admitTheSame)
        .row("refillIntervally(5", this::differInTheBeginningOfIntervals)
        .row("refillIntervally(100", this::planOfSeveral)
        .row("refillIntervallyAligned", this::admitTheSame)
        .row("initialTokens(0)", this::differInTheFirstTokens)
        .row("capacity(2)", this::admitTheSame)
        .row("bucket.tryConsume(3)", this::tryConsume)
        .row("tryConsumeAndReturnRemaining", this::probe)
        .row("estimateAbilityToConsume", this::estimate)
        .row("getAvailableTokens", this::available)
        .row("consumeIgnoringRateLimits", this::charge)
        .row("addTokens", this::refund)
        .row("tryConsumeAsMuchAsPossible", this::takeTheRest)
        .row("asBlocking", this::block)
        .row("replaceConfiguration", this::replace)
        .tests();
  }

  /** The two of them, on one clock. */
  private final class Pair implements AutoCloseable {
    final FakeTicker ticker = new FakeTicker();
    final RateLimiter limiter = RateLimiter.builder().ticker(ticker).build();
    Bucket bucket = builder().addLimit(l -> l.capacity(10).refillGreedy(10, ofMinutes(1))).build();
    Decision last;

    LocalBucketBuilder builder() {
      return Bucket.builder().withCustomTimePrecision(meter(ticker));
    }

    Object theirs(Row row) throws Exception {
      BucketConfiguration twenty =
          BucketConfiguration.builder()
              .addLimit(l -> l.capacity(20).refillGreedy(20, ofMinutes(1)))
              .build();
      return theirs.run(row, builder(), bucket, twenty, FakeTicker.START);
    }

    Object ours(Row row) throws Exception {
      return ours.run(row, limiter, POLICY, KEY, last);
    }

    /** Takes from both. */
    void take(int permits) {
      assertTrue(bucket.tryConsume(permits));
      last = limiter.tryAcquire(POLICY, KEY, permits);
      assertTrue(last.admitted());
    }

    @Override
    public void close() {
      limiter.close();
    }
  }

  private static TimeMeter meter(FakeTicker ticker) {
    return new TimeMeter() {
      @Override
      public long currentTimeNanos() {
        return ticker.epochMicros() * 1_000;
      }

      @Override
      public boolean isWallClockBased() {
        return true;
      }
    };
  }

  private static final Duration[] PAUSES = {
    ZERO, ofSeconds(6), ofSeconds(31), ofMinutes(1), ofMillis(500), ofMinutes(25), ofMinutes(40)
  };

  private void admitTheSame(Row row) throws Exception {
    try (Pair pair = new Pair();
        AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row))) {
      assertEquals(theirs(pair, row, PAUSES), endpoint.admitted(PAUSES));
    }
  }

  private List<Integer> theirs(Pair pair, Row row, Duration... pauses) throws Exception {
    Bucket bucket = ((LocalBucketBuilder) pair.theirs(row)).build();
    List<Integer> admitted = new ArrayList<>();
    for (Duration pause : pauses) {
      pair.ticker.advance(pause);
      int count = 0;
      for (int i = 0; i < 60; i++) {
        count += bucket.tryConsume(1) ? 1 : 0;
      }
      admitted.add(count);
    }
    return admitted;
  }

  private void differInTheBeginningOfIntervals(Row row) throws Exception {
    Duration[] pauses = {ofSeconds(30), ofSeconds(30), ofSeconds(30), ofSeconds(30)};
    try (Pair pair = new Pair();
        AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row))) {
      assertEquals(List.of(10, 5, 0, 5), theirs(pair, row, pauses));
      assertEquals(List.of(10, 0, 5, 0), endpoint.admitted(pauses));
    }
  }

  private void planOfSeveral(Row row) throws Exception {
    Duration[] pauses = {ZERO, ZERO, ofMinutes(59), ofMinutes(1), ZERO, ofHours(3), ZERO};
    UnaryOperator<WeirBuilder> premium =
        builder -> builder.tierResolver((request, policy) -> CallerTier.named("premium"));
    try (Pair pair = new Pair();
        AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row), premium)) {
      assertEquals(theirs(pair, row, pauses), endpoint.admitted(pauses));
    }
    try (AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row))) {
      assertEquals(List.of(20, 20), endpoint.admitted(ZERO, ofHours(1)));
    }
  }

  private void differInTheFirstTokens(Row row) throws Exception {
    try (Pair pair = new Pair();
        AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row))) {
      assertEquals(List.of(0, 10), theirs(pair, row, ZERO, ofMinutes(1)));
      assertEquals(List.of(10, 10), endpoint.admitted(ZERO, ofMinutes(1)));
    }
  }

  private void tryConsume(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      for (boolean expected : List.of(true, true, true, false)) {
        assertEquals(expected, pair.theirs(row));
        assertEquals(expected, pair.ours(row));
      }
    }
  }

  private void probe(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      for (int i = 0; i <= 10; i++) {
        ConsumptionProbe probe = (ConsumptionProbe) pair.theirs(row);
        Decision decision = (Decision) pair.ours(row);
        assertEquals(probe.isConsumed(), decision.admitted());
        assertEquals(probe.getRemainingTokens(), decision.remaining());
        assertEquals(probe.getNanosToWaitForRefill(), decision.retryAfter().toNanos());
      }
    }
  }

  private void estimate(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      pair.take(10);
      for (int i = 0; i < 2; i++) {
        var estimated = (io.github.bucket4j.EstimationProbe) pair.theirs(row);
        Decision peeked = (Decision) pair.ours(row);
        assertEquals(estimated.canBeConsumed(), peeked.admitted());
        assertEquals(estimated.getNanosToWaitForRefill(), peeked.retryAfter().toNanos());
        pair.ticker.advance(ofSeconds(6));
      }
      pair.take(2);
    }
  }

  private void available(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      pair.take(4);
      assertEquals(6L, pair.theirs(row));
      assertEquals(6L, pair.ours(row));
      pair.bucket.consumeIgnoringRateLimits(8);
      pair.limiter.charge(POLICY, KEY, 8);
      assertEquals(-2L, pair.theirs(row));
      assertEquals(0L, pair.ours(row));
    }
  }

  private void charge(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      pair.theirs(row);
      pair.ours(row);
      pair.ticker.advance(ofSeconds(35));
      assertFalse(pair.bucket.tryConsume(1));
      assertFalse(pair.limiter.tryAcquire(POLICY, KEY).admitted());
      pair.ticker.advance(ofSeconds(1));
      pair.take(1);
    }
  }

  private void refund(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      pair.take(3);
      pair.theirs(row);
      pair.ours(row);
      pair.ours(row);
      assertEquals(10, pair.bucket.getAvailableTokens());
      assertEquals(10, pair.limiter.peek(POLICY, KEY).remaining());
    }
  }

  private void takeTheRest(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      pair.take(4);
      assertEquals(6L, pair.theirs(row));
      assertEquals(6, ((Decision) pair.ours(row)).permits());
      assertEquals(0, pair.bucket.getAvailableTokens());
      assertEquals(0, pair.limiter.peek(POLICY, KEY).remaining());
    }
  }

  /** Theirs really waits here, for a hundredth of a second. */
  private void block(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      pair.bucket =
          Bucket.builder().addLimit(l -> l.capacity(1).refillGreedy(1, ofMillis(10))).build();
      long start = System.nanoTime();
      for (int i = 0; i < 3; i++) {
        assertEquals(true, pair.theirs(row));
      }
      assertTrue(System.nanoTime() - start >= ofMillis(19).toNanos());
      pair.limiter.tryAcquire(POLICY, KEY, 10);
      assertEquals(ofSeconds(6), pair.ours(row));
    }
  }

  private void replace(Row row) throws Exception {
    try (Pair pair = new Pair();
        Ours.Live live = new Ours.Live(row.ours(), Algorithm.TOKEN_BUCKET)) {
      pair.bucket.tryConsume(10);
      live.take(10);
      pair.theirs(row);
      live.change();
      assertEquals(0, pair.bucket.getAvailableTokens());
      assertEquals(10, live.left());
      live.take(1);
      pair.ticker.advance(ofSeconds(3));
      live.advance(ofSeconds(3));
      assertEquals(1, pair.bucket.getAvailableTokens());
      assertEquals(10, live.left());
      pair.ticker.advance(ofHours(1));
      live.advance(ofHours(1));
      assertEquals(20, pair.bucket.getAvailableTokens());
      assertEquals(20, live.left());
    }
  }
}
