package io.weir.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.test.log.BrokenLogger;
import io.weir.test.log.LogLines;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DaemonThreadFactoryTest {
  private final ScheduledThreadPoolExecutor scheduler =
      DaemonThreadFactory.scheduler(DaemonThreadFactory.named("weir-test"), 1);
  private final CountDownLatch runs = new CountDownLatch(3);

  @AfterEach
  void close() {
    scheduler.shutdownNow();
  }

  private void fail() {
    runs.countDown();
    throw new AssertionError("on purpose");
  }

  private void repeat() throws InterruptedException {
    var unused = scheduler.scheduleWithFixedDelay(this::fail, 0, 1, TimeUnit.MILLISECONDS);
    assertTrue(runs.await(1, TimeUnit.MINUTES), "ended by its first failure");
  }

  @Test
  void aTaskIsRepeatedWhateverItThrows() throws InterruptedException {
    try (LogLines log = new LogLines()) {
      repeat();
      assertEquals(
          "SEVERE A task of the thread weir-test failed; it will run again java.lang.AssertionError: on purpose",
          log.containing("weir-test").get(0));
    }
  }

  @Test
  void aLoggerThatThrowsEndsNoTask() throws InterruptedException {
    try (BrokenLogger broken = new BrokenLogger()) {
      repeat();
    }
  }
}
