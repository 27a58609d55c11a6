package io.weir.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RejectingPoolTest {
  private volatile boolean isFull;

  private final RejectingPool pool = new RejectingPool(this::thread, 1, 1, Duration.ofMinutes(1));

  private Thread thread(Runnable work) {
    Thread thread =
        new Thread(work) {
          @Override
          public synchronized void start() {
            if (isFull) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            super.start();
          }
        };
    thread.setDaemon(true);
    return thread;
  }

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
    isFull = true;
    RejectedExecutionException rejected =
        assertThrows(RejectedExecutionException.class, () -> pool.execute(() -> {}));
    assertInstanceOf(OutOfMemoryError.class, rejected.getCause());
    assertEquals(0, pool.getQueue().size());

    isFull = false;
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
