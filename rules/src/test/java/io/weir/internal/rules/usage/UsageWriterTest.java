package io.weir.internal.rules.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.test.log.BrokenLogger;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Writes little at a time, and all of it in the end. */
class UsageWriterTest {
  private static final int BATCHES = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Part part = new Part();

  private UsageWriter writer(Duration interval) {
    return writer(DatabaseOpener.open(H2MemoryTest.memory(), true), interval);
  }

  private UsageWriter writer(RuleDatabase database, Duration interval) {
    UsageWriter writer = new UsageWriter(database, interval, Ticker.system());
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

  @Test
  void aLoggerThatThrowsEndsNoWrites() throws InterruptedException {
    part.beforeDrain =
        number -> {
          if (number == 1) {
            throw new IllegalStateException("on purpose");
          }
        };
    try (BrokenLogger broken = new BrokenLogger();
        UsageWriter writer = writer(Duration.ofMillis(20))) {
      writer.start();
      assertTrue(part.written.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    }
  }

  @Test
  void aFlushWritesWhatHadToWaitForAUserThatWasForgottenMeanwhile() {
    RuleDatabase database = DatabaseOpener.open(H2MemoryTest.memory(), true);
    part.beforeDrain =
        number -> {
          if (number == BATCHES) { // the last one: nothing else would be written after it
            boolean unused =
                database.inTransaction(
                    "the data of a user can't be deleted",
                    connection -> {
                      UserTombstones.add(connection, "ann");
                      return true;
                    });
          }
        };
    try (UsageWriter writer = writer(database, Duration.ofHours(1))) {
      writer.flush(PATIENCE);
      assertEquals(0, part.written.getCount());
    }
  }

  /** A part with more than one transaction writes. */
  private static final class Part implements UsageBuffer {
    private final AtomicInteger waiting = new AtomicInteger(BATCHES);
    private volatile CountDownLatch written = new CountDownLatch(BATCHES);

    /** Receives how often the part was drained. */
    private volatile IntConsumer beforeDrain = number -> {};

    private final AtomicInteger drained = new AtomicInteger();

    void collectsAnew() {
      written = new CountDownLatch(BATCHES);
      waiting.set(BATCHES);
    }

    @Override
    public Optional<RowBatch> drain(int most) {
      beforeDrain.accept(drained.incrementAndGet());
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
        assertFalse(isLost, "a write failed");
        waiting.incrementAndGet();
      }

      @Override
      public boolean isMore() {
        return isMore;
      }
    }
  }
}
