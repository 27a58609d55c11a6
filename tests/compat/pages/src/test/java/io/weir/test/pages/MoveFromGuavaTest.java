package io.weir.test.pages;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.RateLimiter;
import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.test.pages.MovingTable.Row;
import io.weir.testkit.FakeTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tries each row of docs/moving.md about Guava. Its clock can't be given, so a permit comes each
 * six minutes, within which every test has ended.
 */
class MoveFromGuavaTest {
  private static final Policy POLICY =
      Policy.builder("api")
          .limit(10)
          .window(Duration.ofHours(1))
          .algorithm(Algorithm.LEAKY_BUCKET)
          .build();

  private final FakeTicker ticker = new FakeTicker();
  @TempDir private Path folder;
  private MovingCode theirs;
  private MovingCode ours;

  @TestFactory
  Stream<DynamicTest> eachRow() {
    MovingTable table = MovingTable.below("Guava");
    theirs = table.compileTheirs(folder, "RateLimiter rateLimiter");
    ours = table.compileOurs(folder, "Cells");
    return table
        .row("create", this::oneByOne)
        .row("rateLimiter.tryAcquire()", this::acquire)
        .row("tryAcquire(100)", this::acquireTooMany)
        .row("tryAcquire(ofSeconds(1))", this::waitForOne)
        .row("setRate", this::change)
        .tests();
  }

  private static RateLimiter guava() {
    return RateLimiter.create(10.0 / 3_600);
  }

  private io.weir.RateLimiter weir() {
    return io.weir.RateLimiter.builder().ticker(ticker).build();
  }

  private Object ours(Row row, io.weir.RateLimiter limiter) throws Exception {
    return ours.run(row, limiter, POLICY, Key.everybody(), null);
  }

  private void oneByOne(Row row) throws Exception {
    RateLimiter guava = (RateLimiter) theirs.run(row, guava());
    assertTrue(guava.tryAcquire());
    assertFalse(guava.tryAcquire());
    try (AnnotatedEndpoint endpoint = new AnnotatedEndpoint(ours.annotated(row))) {
      assertEquals(List.of(1, 0, 1), endpoint.admitted(ZERO, ofMinutes(5), ofMinutes(1)));
    }
  }

  private void acquire(Row row) throws Exception {
    RateLimiter guava = guava();
    try (io.weir.RateLimiter limiter = weir()) {
      for (boolean expected : List.of(true, false)) {
        assertEquals(expected, theirs.run(row, guava));
        assertEquals(expected, ours(row, limiter));
      }
    }
  }

  private void acquireTooMany(Row row) throws Exception {
    RateLimiter guava = guava();
    assertEquals(true, theirs.run(row, guava));
    assertFalse(guava.tryAcquire());
    try (io.weir.RateLimiter limiter = weir()) {
      assertEquals(false, ours(row, limiter));
      assertTrue(limiter.tryAcquire(POLICY, Key.everybody()).admitted());
      limiter.charge(POLICY, Key.everybody(), 99);
      ticker.advance(ofMinutes(6 * 99));
      assertFalse(limiter.tryAcquire(POLICY, Key.everybody()).admitted());
      ticker.advance(ofMinutes(6));
      assertTrue(limiter.tryAcquire(POLICY, Key.everybody()).admitted());
    }
  }

  private void waitForOne(Row row) throws Exception {
    RateLimiter guava = guava();
    assertEquals(true, theirs.run(row, guava));
    assertEquals(false, theirs.run(row, guava), "it isn't worth waiting");
    RateLimiter fast = RateLimiter.create(100);
    fast.acquire();
    assertEquals(true, theirs.run(row, fast), "it waits");
    try (io.weir.RateLimiter limiter = weir()) {
      assertEquals(ZERO, ours(row, limiter));
      assertEquals(ofMinutes(6), ours(row, limiter));
    }
  }

  private void change(Row row) throws Exception {
    RateLimiter guava = guava();
    theirs.run(row, guava);
    assertEquals(20.0 / 3_600, guava.getRate(), 1e-9);
    try (Ours.Live live = new Ours.Live(row.ours(), Algorithm.TOKEN_BUCKET)) {
      live.take(10);
      live.change();
      live.advance(Duration.ofHours(1));
      assertEquals(20, live.left());
    }
  }
}
