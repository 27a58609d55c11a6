package io.weir.internal.threads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.test.log.BrokenLogger;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
  private final CountDownLatch runs = new CountDownLatch(3);

  private void fail() {
    runs.countDown();
    throw new AssertionError("on purpose");
  }

  @Test
  void aTaskIsRepeatedAlsoWhereTheLoggerThrows() throws InterruptedException {
    try (BrokenLogger broken = new BrokenLogger();
        PeriodicTask task =
            PeriodicTask.start(
                DaemonThreadFactory.named("weir-test"),
                Duration.ZERO,
                Duration.ofMillis(1),
                this::fail)) {
      assertTrue(runs.await(1, TimeUnit.MINUTES), "ended by its first failure");
    }
  }
}
