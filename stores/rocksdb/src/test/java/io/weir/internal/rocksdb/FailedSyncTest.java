package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Disks that can't be written for a while. */
class FailedSyncTest {
  private static final BucketId LEASED =
      Opened.bucket(Algorithm.FIXED_WINDOW, Duration.ofDays(1), "alice");

  @TempDir private Path home;

  private final FakeTicker ticker = new FakeTicker();
  private volatile boolean failsMapped;
  private volatile boolean failsLog;
  private final Semaphore failures = new Semaphore(0);
  private PowerCut disk;

  /** The disk of a power cut, which fails while the test says so. */
  private final DiskSync failing =
      new DiskSync() {
        @Override
        public void mapped(Path file, MappedByteBuffer buffer, int bytes) {
          if (failsMapped) {
            failures.release();
            throw new UncheckedIOException(new IOException("no such disk"));
          }
          disk.mapped(file, buffer, bytes);
        }

        @Override
        public void log(RocksDB database) throws RocksDBException {
          if (failsLog) {
            failures.release();
            throw new RocksDBException("no such disk");
          }
          disk.log(database);
        }

        @Override
        public void directory(Path directory) throws IOException {
          disk.directory(directory);
        }
      };

  private RocksDbStore open(Path directory, Duration sync, DiskSync with, Ticker clock) {
    return new RocksDbStore(
        directory,
        8 << 20,
        new ExactTableSizes(20, 1 << 14),
        sync,
        with,
        BucketHasher.of("secret"),
        clock);
  }

  private static void spend(RocksDbStore store, int times) {
    for (int i = 0; i < times; i++) {
      exact(store, 1);
      Opened.take(store, LEASED, 1, 1_000);
    }
  }

  private static long exact(RocksDbStore store, long take) {
    return store
        .exactBuckets()
        .orElseThrow()
        .execute(ExactSpender.request(1, take))
        .toCompletableFuture()
        .orTimeout(120, TimeUnit.SECONDS)
        .join()
        .tokens();
  }

  private void awaitFailures(int number) throws InterruptedException {
    assertTrue(failures.tryAcquire(number, 60, TimeUnit.SECONDS), "syncing has ended");
  }

  /** The state after a power cut that loses everything unsynced. */
  private void assertSpentAfterCut(long times) {
    Random random = new Random(Seeds.first());
    for (int cut = 0; cut < 8; cut++) {
      Path left = home.resolve("left" + times + "-" + cut);
      disk.leave(left, random);
      try (RocksDbStore store = open(left, Duration.ofHours(1), DiskSync.SYSTEM, ticker)) {
        assertEquals(ExactSpender.TOKENS - times, exact(store, 0));
        assertEquals(1_000 - times, Opened.left(store, LEASED, 1_000));
      }
    }
  }

  @Test
  void aJournalThatCouldNotBeSyncedIsReplacedAndSyncingGoesOn() throws Exception {
    Path directory = home.resolve("a");
    disk = new PowerCut(directory, moment -> {});
    try (RocksDbStore store = open(directory, Duration.ofMillis(10), failing, ticker)) {
      spend(store, 5);
      failsMapped = true;
      for (int i = 0; i < 3; i++) { // also when something is there to be synced again
        spend(store, 1);
        awaitFailures(1);
      }
      spend(store, 2);
      failsMapped = false;
      awaitSynced(store);
      assertSpentAfterCut(10);
    }
  }

  @Test
  void aLogThatCouldNotBeSyncedIsWrittenAnew() throws Exception {
    Path directory = home.resolve("a");
    disk = new PowerCut(directory, moment -> {});
    try (RocksDbStore store = open(directory, Duration.ofMillis(10), failing, ticker)) {
      spend(store, 5);
      awaitSynced(store); // so that it fails after the next one, and not before
      failsLog = true;
      Opened.take(store, LEASED, 1, 1_000);
      awaitFailures(1);
      while (failures.availablePermits() == 0) { // it is opened again, and fails again
        tryOpened(store);
        passSecond();
      }
      failsLog = false;
      awaitOpened(store);
      exact(store, 1);
      awaitSynced(store);
      assertSpentAfterCut(6);
    }
  }

  /** The system takes for written what it couldn't write, so only a new log counts. */
  @Test
  void aLaterSyncOfALogThatCouldNotBeSyncedFailsToo() throws Exception {
    Path directory = home.resolve("a");
    disk = new PowerCut(directory, moment -> {});
    try (BucketDatabase database = BucketDatabase.open(directory, 8 << 20, failing)) {
      failsLog = true;
      assertThrows(RocksDBException.class, database::sync);
      failsLog = false;
      assertThrows(RocksDBException.class, database::sync);
    }
    try (BucketDatabase again = BucketDatabase.open(directory, 8 << 20, failing)) {
      again.sync();
    }
  }

  @Test
  void aLoggerThatThrowsLeavesTheDatabaseClosedAndNotLocked() throws Exception {
    Path directory = home.resolve("a");
    disk = new PowerCut(directory, moment -> {});
    Handler broken = brokenHandler();
    RocksDbStore store = open(directory, Duration.ofHours(1), failing, ticker);
    spend(store, 5);
    failsMapped = true;
    failsLog = true;
    Logger.getLogger("io.weir").addHandler(broken);
    try {
      store.close();
    } finally {
      Logger.getLogger("io.weir").removeHandler(broken);
    }
    try (RocksDbStore again = open(directory, Duration.ofHours(1), DiskSync.SYSTEM, ticker)) {
      assertEquals(1_000 - 5, Opened.left(again, LEASED, 1_000));
    }
  }

  private static Handler brokenHandler() {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        throw new IllegalStateException("the disk is full");
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  /** Whatever happens while no claim waits: claims are served afterwards. */
  @Test
  void anErrorWhileTidyingEndsNothing() throws Exception {
    Ticker broken =
        new Ticker() {
          @Override
          public long nanoTime() {
            return ticker.nanoTime();
          }

          @Override
          public long epochMicros() {
            if (failsLog) {
              failures.release();
              throw new AssertionError("no such time");
            }
            return ticker.epochMicros();
          }
        };
    try (RocksDbStore store =
        open(home.resolve("a"), Duration.ofMillis(10), DiskSync.SYSTEM, broken)) {
      spend(store, 5);
      failsLog = true;
      awaitFailures(1);
      failsLog = false;
      awaitOpened(store);
      assertEquals(1_000 - 5, Opened.left(store, LEASED, 1_000));
      assertEquals(ExactSpender.TOKENS - 5, exact(store, 0));
    }
  }

  /**
   * Waits until the database is open again, which is tried once a second of the monotonic clock.
   */
  private void awaitOpened(RocksDbStore store) throws InterruptedException {
    while (!tryOpened(store)) {
      passSecond();
    }
  }

  /** Lets a second pass on the monotonic clock only, so that no bucket changes. */
  private void passSecond() throws InterruptedException {
    ticker.advance(Duration.ofSeconds(1)).jumpWall(Duration.ofSeconds(-1));
    Thread.sleep(10);
  }

  private static boolean tryOpened(RocksDbStore store) {
    try {
      Opened.left(store, LEASED, 1_000);
      return true;
    } catch (CompletionException away) {
      return false;
    }
  }

  /** The next sync that begins from now on, or one after it, has written all. */
  private void awaitSynced(RocksDbStore store) throws InterruptedException {
    store.sync();
    while (!store.isSynced()) {
      passSecond();
      store.sync();
    }
  }
}
