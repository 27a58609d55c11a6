package io.weir.internal.rules.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readings ahead of time are shared, and few. */
class EarlyReadsTest {
  private final AtomicLong now = new AtomicLong(-1_000);
  private final AtomicInteger readings = new AtomicInteger();
  private final Hurried thread = new Hurried();
  private final EarlyReads reads = new EarlyReads(thread, this::read, now::get);

  /** Runs at once what was to wait, and notes how long. */
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
    for (int i = 0; i < EarlyReads.MOST_A_SECOND; i++) {
      assertEquals(i != 2, ask(), "the third fails, and its callers hear of it");
      now.addAndGet(1_000);
    }
    ask();
    now.addAndGet(second);
    ask();
    assertEquals(List.of(0L, 0L, 0L, 0L, 0L, second - 5_000, 0L), thread.delays);
    assertEquals(7, readings.get());
  }

  @Test
  void whoAsksDuringAReadingWaitsForTheNextWhichAllShare() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    EarlyReads slow =
        new EarlyReads(
            thread,
            () -> {
              readings.incrementAndGet();
              began.countDown();
              return isDown(mayEnd);
            },
            now::get);
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
    for (int i = 0; i < EarlyReads.MOST_WAITING; i++) {
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
