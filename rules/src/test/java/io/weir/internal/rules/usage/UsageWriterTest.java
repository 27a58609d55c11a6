package io.weir.internal.rules.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Writes little at a time, and all of it in the end. */
class UsageWriterTest {
  private static final int BATCHES = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Part part = new Part();

  private UsageWriter writer(Duration interval) {
    UsageWriter writer =
        new UsageWriter(
            DatabaseOpener.open(H2MemoryTest.memory(), true), interval, Ticker.system());
    writer.add(part);
    return writer;
  }

  @Test
  void goesOnAfterARestUntilAllIsWrittenAndBeginsAnew() throws InterruptedException {
    try (UsageWriter writer = writer(Duration.ofMillis(100))) {
      writer.start();
      assertTrue(part.written.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
      part.collectsAnew();
      assertTrue(part.written.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    }
  }

  @Test
  void aFlushWritesAllAtOnce() {
    try (UsageWriter writer = writer(Duration.ofHours(1))) {
      writer.flush(PATIENCE);
      assertEquals(0, part.written.getCount());
    }
  }

  /** A part with more than one transaction writes. */
  private static final class Part implements UsageBuffer {
    private final AtomicInteger waiting = new AtomicInteger(BATCHES);
    private volatile CountDownLatch written = new CountDownLatch(BATCHES);

    void collectsAnew() {
      written = new CountDownLatch(BATCHES);
      waiting.set(BATCHES);
    }

    @Override
    public Optional<RowBatch> drain(int most) {
      return waiting.get() == 0
          ? Optional.empty()
          : Optional.of(new Batch(waiting.decrementAndGet() > 0));
    }

    @Override
    public void forget(Predicate<String> isForgotten) {}

    private final class Batch implements RowBatch {
      private final boolean isMore;

      Batch(boolean isMore) {
        this.isMore = isMore;
      }

      @Override
      public void write(Connection connection, Dialect dialect) {}

      @Override
      public void committed() {
        written.countDown();
      }

      @Override
      public void failed(boolean isLost) {
        throw new AssertionError("a write failed");
      }

      @Override
      public boolean isMore() {
        return isMore;
      }
    }
  }
}
