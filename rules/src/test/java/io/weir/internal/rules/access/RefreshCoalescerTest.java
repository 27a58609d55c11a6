package io.weir.internal.rules.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readings ahead of time are shared and limited. */
class RefreshCoalescerTest {
  private final FakeTicker ticker = new FakeTicker();
  private final AtomicInteger readings = new AtomicInteger();
  private final Hurried thread = new Hurried();
  private final RefreshCoalescer reads = new RefreshCoalescer(thread, this::read, ticker);

  /** Runs delayed tasks at once, and records their delays. */
  private static final class Hurried extends ScheduledThreadPoolExecutor {
    private final List<Long> delays = Collections.synchronizedList(new ArrayList<>());

    Hurried() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      delays.add(unit.toNanos(delay));
      return super.schedule(task, 0, unit);
    }
  }

  private boolean read() {
    return readings.incrementAndGet() != 3;
  }

  @AfterEach
  void stop() {
    thread.shutdownNow();
  }

  private boolean ask() {
    return reads.ask().orTimeout(120, TimeUnit.SECONDS).join();
  }

  @Test
  void atMostFiveBeginWithinASecond() {
    long second = TimeUnit.SECONDS.toNanos(1);
    for (int i = 0; i < RefreshCoalescer.MAX_READINGS_PER_SECOND; i++) {
      assertEquals(i != 2, ask(), "the third fails, and its callers hear of it");
      ticker.advance(Duration.ofNanos(1_000));
    }
    ask();
    ticker.advance(Duration.ofNanos(second));
    ask();
    assertEquals(List.of(0L, 0L, 0L, 0L, 0L, second - 5_000, 0L), thread.delays);
    assertEquals(7, readings.get());
  }

  @Test
  void whoAsksDuringAReadingWaitsForTheNextWhichAllShare() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    RefreshCoalescer slow =
        new RefreshCoalescer(
            thread,
            () -> {
              readings.incrementAndGet();
              began.countDown();
              return isDown(mayEnd);
            },
            ticker);
    CompletableFuture<Boolean> first = slow.ask();
    assertTrue(isDown(began));
    CompletableFuture<Boolean> second = slow.ask();
    assertNotSame(first, second);
    assertSame(second, slow.ask());
    assertFalse(second.isDone());
    mayEnd.countDown();
    assertTrue(first.orTimeout(120, TimeUnit.SECONDS).join());
    assertTrue(second.orTimeout(120, TimeUnit.SECONDS).join());
    assertEquals(2, readings.get());
  }

  @Test
  void onlySoManyWait() {
    CountDownLatch never = new CountDownLatch(1);
    thread.execute(() -> isDown(never));
    for (int i = 0; i < RefreshCoalescer.MAX_WAITING; i++) {
      assertFalse(reads.ask().isDone());
    }
    assertFalse(reads.ask().join());
    never.countDown();
  }

  private static boolean isDown(CountDownLatch latch) {
    try {
      return latch.await(120, TimeUnit.SECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
