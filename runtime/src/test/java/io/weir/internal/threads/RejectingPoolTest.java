package io.weir.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.test.threads.ScarceThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RejectingPoolTest {
  private final ScarceThreads threads = new ScarceThreads();
  private final RejectingPool pool = new RejectingPool(threads, 1, 1, Duration.ofMinutes(1));

  @AfterEach
  void close() {
    pool.shutdownNow();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(1, TimeUnit.MINUTES));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void rejectsATaskForWhichNoThreadCanBeStartedAndRunsLaterOnes() {
    threads.exhaust();
    RejectedExecutionException rejected =
        assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
    assertInstanceOf(OutOfMemoryError.class, rejected.getCause());
    assertEquals(0, pool.getQueue().size());

    threads.recover();
    CountDownLatch runs = new CountDownLatch(1);
    pool.execute(runs::countDown);
    await(runs);
  }

  @Test
  void rejectsATaskIfTooManyWait() {
    CountDownLatch go = new CountDownLatch(1);
    pool.execute(() -> await(go));
    pool.execute(() -> {});
    assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
    go.countDown();
  }
}
