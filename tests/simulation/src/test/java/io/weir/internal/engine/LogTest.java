package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.internal.engine.TroubledStore.Trouble;
import io.weir.spi.DecisionMetrics;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogTest {
  private static final Policy POLICY =
      Policy.builder("p").limit(1_000).window(Duration.ofHours(1)).build();
  private static final Key KEY = Key.of("caller");

  private final Logger log = Logger.getLogger("io.weir");
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    log.addHandler(handler);
    log.setUseParentHandlers(false);
  }

  @AfterEach
  void leave() {
    log.removeHandler(handler);
    log.setUseParentHandlers(true);
  }

  @Test
  void oneLineForAnOutageAndOneForItsEnd() {
    FakeTicker ticker = new FakeTicker();
    TroubledStore store = new TroubledStore(ticker);
    try (RateLimiter limiter = RateLimiter.builder().ticker(ticker).store(store).build()) {
      limiter.tryAcquire(POLICY, KEY);
      assertEquals(List.of(), lines);
      for (int i = 0; i < 100; i++) {
        store.trouble = i % 3 == 0 ? Trouble.NONE : Trouble.FAILS; // it stumbles
        limiter.tryAcquire(POLICY, KEY);
        ticker.advance(Duration.ofMillis(300));
      }
      assertEquals(1, lines.size(), lines::toString);

      store.trouble = Trouble.NONE;
      ticker.advance(Duration.ofMillis(999));
      limiter.tryAcquire(POLICY, KEY);
      limiter.tryAcquire(POLICY, KEY);
      assertEquals(
          List.of(2, "INFO The store answers again."), List.of(lines.size(), lines.get(1)));

      store.trouble = Trouble.FAILS;
      limiter.tryAcquire(POLICY, KEY);
      assertEquals(3, lines.size(), lines::toString);
    }
  }

  @Test
  void moreCallersThanANodeHoldsWhileTheStoreIsAwayAreLoggedOnce() {
    FakeTicker ticker = new FakeTicker();
    TroubledStore store = new TroubledStore(ticker);
    store.trouble = Trouble.FAILS;
    VirtualTime time = new VirtualTime(FakeTicker.START);
    try (RateLimiter limiter =
        RateLimiter.builder()
            .ticker(ticker)
            .scheduler(new VirtualScheduler(time))
            .store(store)
            .cacheBuckets(10)
            .build()) {
      for (int i = 0; i < 30; i++) {
        limiter.tryAcquire(POLICY, Key.of("caller " + i));
      }
      time.run(Duration.ofSeconds(1));
    }
    List<String> many = lines.stream().filter(each -> each.contains("max-buckets = 10.")).toList();
    assertEquals(1, many.size(), lines::toString);
    assertTrue(many.get(0).startsWith("WARNING"), many::toString);
  }

  @Test
  void moreCallersThanAStoreInThisProcessHoldsAreLoggedOnce() {
    VirtualTime time = new VirtualTime(FakeTicker.START);
    try (RateLimiter limiter =
        RateLimiter.builder()
            .ticker(new FakeTicker())
            .scheduler(new VirtualScheduler(time))
            .store("inprocess:", name -> name.equals("weir.store.max-buckets") ? "10" : "")
            .build()) {
      for (int i = 0; i < 30; i++) {
        assertTrue(limiter.tryAcquire(POLICY, Key.of("caller " + i)).admitted());
        time.run(Duration.ofSeconds(1));
        assertEquals(i < 10 ? 0 : 1, lines.size(), lines::toString);
      }
    }
    assertTrue(
        lines
            .get(0)
            .startsWith(
                "WARNING This process has more callers than weir.store.max-buckets" + " = 10."),
        lines::toString);
  }

  @Test
  void metricsThatFailAreNoTroubleOfTheCallerAndLoggedOnce() {
    DecisionMetrics broken =
        new DecisionMetrics() {
          @Override
          public void decided(Decision part) {
            throw new IllegalStateException("full");
          }

          @Override
          public void took(long nanos) {
            throw new IllegalStateException("full");
          }

          @Override
          public void bucketsHeld(LongSupplier held) {}

          @Override
          public void close() {
            throw new IllegalStateException("full");
          }
        };
    try (RateLimiter limiter = RateLimiter.builder().metrics(broken).build()) {
      for (int i = 0; i < 1_000; i++) {
        assertEquals(true, limiter.tryAcquire(POLICY, KEY).admitted());
      }
    }
    assertEquals(1, lines.size(), lines::toString);
  }

  @Test
  void shadowRefusalsAreLoggedAtOnceAndThenOnceAMinuteForEachPolicy() {
    FakeTicker ticker = new FakeTicker();
    Policy shadow = shadow("quiet");
    String line = "INFO Policy quiet is in shadow mode; it would have refused ";
    try (RateLimiter limiter = RateLimiter.builder().ticker(ticker).build()) {
      limiter.tryAcquire(shadow, KEY);
      assertEquals(List.of(), lines);
      limiter.tryAcquire(shadow, KEY);
      assertEquals(List.of(line + "1 request."), lines);
      limiter.tryAcquire(shadow, KEY);
      ticker.advance(Duration.ofMinutes(1).minusNanos(1));
      limiter.tryAcquire(shadow, KEY);
      assertEquals(1, lines.size(), lines::toString);
      ticker.advance(Duration.ofNanos(1));
      limiter.tryAcquire(shadow, KEY);
      assertEquals(List.of(line + "1 request.", line + "3 requests."), lines);
      limiter.tryAcquire(shadow, KEY);
      assertEquals(2, lines.size(), lines::toString);
      limiter.tryAcquire(shadow("other"), KEY);
      limiter.tryAcquire(shadow("other"), KEY);
      assertEquals(3, lines.size(), lines::toString);
    }
  }

  @Test
  void refusalsThatHurtAreNoNews() {
    Policy strict = Policy.builder("p").limit(1).window(Duration.ofHours(1)).build();
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      limiter.tryAcquire(strict, KEY);
      assertEquals(false, limiter.tryAcquire(strict, KEY).admitted());
    }
    assertEquals(List.of(), lines);
  }

  private static Policy shadow(String name) {
    return Policy.builder(name).limit(1).window(Duration.ofHours(1)).shadow(true).build();
  }
}
