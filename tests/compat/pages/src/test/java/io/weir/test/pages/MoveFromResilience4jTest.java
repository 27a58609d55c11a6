package io.weir.test.pages;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RequestNotPermitted;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.LimitedCall;
import io.weir.annotation.Algorithm;
import io.weir.test.pages.MovingTable.Row;
import io.weir.testkit.FakeTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tries each row of docs/moving.md about Resilience4j: both libraries on one virtual clock. */
class MoveFromResilience4jTest {
  private static final Policy POLICY =
      Policy.builder("api")
          .limit(10)
          .window(ofMinutes(1))
          .algorithm(Algorithm.FIXED_WINDOW)
          .build();
  private static final Key KEY = Key.everybody();

  @TempDir private Path folder;
  private MovingCode theirs;
  private MovingCode ours;

  @TestFactory
  Stream<DynamicTest> eachRow() {
    MovingTable table = MovingTable.below("Resilience4j");
    theirs = table.compileTheirs(folder, "RateLimiter rateLimiter, Callable<String> call");
    ours = table.compileOurs(folder, "Cells");
    return table
        .row("timeoutDuration(ZERO)", this::differInTheBeginningOfPeriods)
        .row("limitRefreshPeriod(ofMinutes(1)).build()", this::differInWaiting)
        .row("acquirePermission", this::acquire)
        .row("reservePermission", this::reserve)
        .row("getAvailablePermissions", this::available)
        .row("drainPermissions", this::drain)
        .row("changeLimitForPeriod", this::change)
        .row("decorateCallable", this::decorate)
        .tests();
  }

  /** The two of them, on one clock. */
  private final class Pair implements AutoCloseable {
    final FakeTicker ticker = new FakeTicker();
    final io.weir.RateLimiter limiter = io.weir.RateLimiter.builder().ticker(ticker).build();
    final RateLimiter rateLimiter =
        of(
            RateLimiterConfig.custom()
                .limitForPeriod(10)
                .limitRefreshPeriod(ofMinutes(1))
                .timeoutDuration(ZERO)
                .build());

    RateLimiter of(RateLimiterConfig config) {
      Supplier<Long> clock = ticker::nanoTime;
      return new AtomicRateLimiter("api", config, clock);
    }

    Object theirs(Row row) throws Exception {
      Callable<String> call = () -> "called";
      return theirs.run(row, rateLimiter, call);
    }

    Object ours(Row row) throws Exception {
      return ours.run(row, limiter, POLICY, KEY, null);
    }

    @Override
    public void close() {
      limiter.close();
    }
  }

  private static List<Integer> admitted(Pair pair, RateLimiter limiter, Duration... pauses) {
    List<Integer> admitted = new ArrayList<>();
    for (Duration pause : pauses) {
      pair.ticker.advance(pause);
      int count = 0;
      for (int i = 0; i < 60; i++) {
        count += limiter.acquirePermission() ? 1 : 0;
      }
      admitted.add(count);
    }
    return admitted;
  }

  private void differInTheBeginningOfPeriods(Row row) throws Exception {
    Duration[] pauses = {ofSeconds(59), ofSeconds(1), ofSeconds(30), ofSeconds(30)};
    try (Pair pair = new Pair();
        AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row))) {
      pair.ticker.advance(ofSeconds(30));
      endpoint.advance(ofSeconds(30));
      RateLimiter limiter = pair.of((RateLimiterConfig) pair.theirs(row));
      assertEquals(List.of(10, 10, 0, 10), admitted(pair, limiter, pauses));
      assertEquals(List.of(10, 0, 10, 0), endpoint.admitted(pauses));
      assertEquals(List.of(10), endpoint.admitted(ofSeconds(89)));
      assertEquals(List.of(10), endpoint.admitted(ofSeconds(1)), "twenty around an edge");
    }
  }

  private void differInWaiting(Row row) throws Exception {
    try (Pair pair = new Pair();
        AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row))) {
      RateLimiterConfig config = (RateLimiterConfig) pair.theirs(row);
      assertEquals(ofSeconds(5), config.getTimeoutDuration());
      pair.ticker.advance(ofSeconds(56));
      endpoint.advance(ofSeconds(56));
      RateLimiter limiter = pair.of(config);
      pair.ticker.advance(ofSeconds(56));
      for (int i = 0; i < 10; i++) {
        assertTrue(limiter.acquirePermission());
      }
      assertEquals(ofSeconds(4), ofNanos(limiter.reservePermission()), "it would wait");
      assertEquals(List.of(10), endpoint.admitted(ZERO));
      assertFalse(endpoint.admits());
      assertEquals(List.of(0), endpoint.admitted(ofSeconds(58)), "no edge of windows");
    }
  }

  private void acquire(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      for (boolean expected : List.of(true, true, true, false)) {
        assertEquals(expected, pair.theirs(row));
        assertEquals(expected, pair.ours(row));
      }
    }
  }

  private void reserve(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      RateLimiter waiting =
          pair.of(
              RateLimiterConfig.custom()
                  .limitForPeriod(10)
                  .limitRefreshPeriod(ofMinutes(1))
                  .timeoutDuration(ofMinutes(2))
                  .build());
      waiting.acquirePermission(10);
      pair.limiter.tryAcquire(POLICY, KEY, 10);
      pair.ticker.advance(ofSeconds(20));
      Callable<String> call = () -> "called";
      for (int i = 0; i < 3; i++) {
        assertEquals(ofSeconds(40).toNanos(), theirs.run(row, waiting, call));
        assertEquals(ofSeconds(40), pair.ours(row));
      }
      pair.ticker.advance(ofSeconds(40));
      assertEquals(7, waiting.getMetrics().getAvailablePermissions());
      assertEquals(10, pair.limiter.peek(POLICY, KEY).remaining());
    }
  }

  private void available(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      pair.rateLimiter.acquirePermission(4);
      pair.limiter.tryAcquire(POLICY, KEY, 4);
      assertEquals(6, pair.theirs(row));
      assertEquals(6L, pair.ours(row));
    }
  }

  private void drain(Row row) throws Exception {
    try (Pair pair = new Pair()) {
      pair.theirs(row);
      pair.ours(row);
      for (int left : List.of(0, 10)) {
        assertEquals(left, pair.rateLimiter.getMetrics().getAvailablePermissions());
        assertEquals(left, pair.limiter.peek(POLICY, KEY).remaining());
        pair.ticker.advance(ofMinutes(1));
      }
    }
  }

  private void change(Row row) throws Exception {
    try (Pair pair = new Pair();
        Ours.Live live = new Ours.Live(row.ours(), Algorithm.FIXED_WINDOW)) {
      pair.rateLimiter.acquirePermission(10);
      live.take(10);
      pair.theirs(row);
      live.change();
      assertEquals(0, pair.rateLimiter.getMetrics().getAvailablePermissions());
      assertEquals(10, live.left());
      pair.ticker.advance(ofMinutes(1));
      live.advance(ofMinutes(1));
      assertEquals(20, pair.rateLimiter.getMetrics().getAvailablePermissions());
      assertEquals(20, live.left());
    }
  }

  private void decorate(Row row) throws Exception {
    try (Pair pair = new Pair();
        Weir weir = Weir.builder().ticker(pair.ticker).build();
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      assertEquals("called", pair.theirs(row));
      pair.rateLimiter.drainPermissions();
      assertThrows(RequestNotPermitted.class, () -> pair.theirs(row));
      Class<?> type = ours.annotated(row);
      LimitedCall call = adapter.call(type, type.getMethod("limited"), List.of());
      assertEquals("called", run(call));
      assertThrows(RateLimitExceededException.class, () -> run(call));
    }
  }

  private static Object run(LimitedCall call) throws Exception {
    try {
      return call.run(new Object[0], () -> "called");
    } catch (RuntimeException refused) {
      throw refused;
    } catch (Throwable other) {
      throw new AssertionError(other);
    }
  }
}
