package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketId;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LiveBucket;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** Stored buckets stay until they expire, and are then removed. */
class PersistenceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int FEW = 3;

  @TempDir private Path home;

  private final FakeTicker ticker = new FakeTicker();

  @Test
  void aRestartForgetsNothing() {
    for (Algorithm algorithm : Algorithm.values()) {
      Path directory = home.resolve(algorithm.name());
      BucketId bucket = Opened.bucket(algorithm, Duration.ofDays(1), "alice");
      long left;
      try (RocksDbStore store = Opened.store(directory, ticker)) {
        assertEquals(7, Opened.take(store, bucket, 7, 10));
        left = Opened.left(store, bucket, 10);
      }
      try (RocksDbStore store = Opened.store(directory, ticker)) {
        assertEquals(left, Opened.left(store, bucket, 10), algorithm.name());
        assertEquals(left, Opened.take(store, bucket, 5, 10));
        assertEquals(0, Opened.take(store, bucket, 1, 10));
      }
    }
  }

  @Test
  void whatIsOverIsAsNewAndDoesntComeBack() {
    BucketId bucket = Opened.bucket(Algorithm.FIXED_WINDOW, MINUTE, "alice");
    try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
      assertEquals(10, Opened.take(store, bucket, 10, 10));
    }
    ticker.advance(MINUTE);
    try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
      assertEquals(10, Opened.left(store, bucket, 10));
      assertEquals(4, Opened.take(store, bucket, 4, 10));
    }
    try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
      assertEquals(6, Opened.left(store, bucket, 10));
    }
  }

  @Test
  void aForgottenBucketIsFullAgain() {
    BucketId bucket = Opened.bucket(Algorithm.SLIDING_WINDOW, MINUTE, "alice");
    BucketId other = Opened.bucket(Algorithm.SLIDING_WINDOW, MINUTE, "bob");
    try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
      Opened.take(store, bucket, 10, 10);
      Opened.take(store, other, 10, 10);
      store.forget(bucket).toCompletableFuture().join();
      assertEquals(10, Opened.left(store, bucket, 10));
      assertEquals(0, Opened.left(store, other, 10));
    }
    try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
      assertEquals(10, Opened.left(store, bucket, 10));
    }
  }

  @Test
  void whatIsLeftBesideAsManyForgottenBucketsIsFoundAgain() {
    BucketId gone = Opened.bucket(Algorithm.FIXED_WINDOW, Duration.ofDays(1), "alice");
    BucketId left = Opened.bucket(Algorithm.FIXED_WINDOW, Duration.ofDays(1), "bob");
    try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
      Opened.take(store, gone, 10, 10);
      Opened.take(store, left, 10, 10);
      store.forget(gone).toCompletableFuture().join();
    }
    for (int start = 0; start < 3; start++) {
      try (RocksDbStore store = Opened.store(home.resolve("a"), ticker)) {
        assertEquals(0, Opened.left(store, left, 10));
        assertEquals(10, Opened.left(store, gone, 10));
      }
    }
  }

  /** Wherever a bucket is, it counts like one that was only ever in memory. */
  @Test
  void bucketsCountAsInMemoryWhileTheyMoveFromGenerationToGeneration() {
    BucketArithmetic arithmetic = BucketArithmetic.leasing(RocksDbStore.MIN_LIFE_MICROS);
    Random random = new Random(Seeds.first());
    for (Algorithm algorithm : Algorithm.values()) {
      Path directory = home.resolve(algorithm.name());
      BucketId bucket = Opened.bucket(algorithm, Duration.ofMinutes(9), "alice");
      LiveBucket inMemory = arithmetic.fresh(bucket.spec());
      RocksDbStore store = Opened.store(directory, ticker);
      try {
        for (int i = 0; i < 300; i++) {
          Claim claim = Claim.of(bucket, 1 + random.nextInt(3), 20, 20);
          Grant expected = inMemory.execute(claim, ticker.epochMicros());
          Grant actual = Opened.ask(store, claim);
          assertEquals(expected.toString(), actual.toString(), algorithm + ", claim " + i);
          ticker.advance(Duration.ofSeconds(random.nextInt(i % 50 == 0 ? 20_000 : 60)));
          if (i % 100 == 99) {
            store.close();
            store = Opened.store(directory, ticker);
          }
        }
      } finally {
        store.close();
      }
    }
  }

  @Test
  void whatIsOverIsGoneFromTheDisk() throws Exception {
    Path directory = home.resolve("a");
    try (RocksDbStore store = Opened.store(directory, ticker)) {
      for (int i = 0; i < 20_000; i++) {
        Opened.take(store, Opened.bucket(Algorithm.FIXED_WINDOW, MINUTE, "caller " + i), 1, 10);
      }
    }
    long full = bytes(directory);
    ticker.advance(Duration.ofHours(1));
    try (RocksDbStore store = Opened.store(directory, ticker)) {
      assertEquals(0, store.size());
    }
    assertEquals(List.of(), generations(directory));
    assertTrue(bytes(directory) < full / 4, () -> "from " + full + " to " + bytes(directory));
  }

  @Test
  void itGoesAlsoWhileTheProcessRuns() throws Exception {
    Path directory = home.resolve("a");
    try (RocksDbStore store = Opened.store(directory, ticker)) {
      for (int hour = 0; hour < 30; hour++) {
        Opened.take(store, Opened.bucket(Algorithm.FIXED_WINDOW, MINUTE, "caller " + hour), 1, 10);
        ticker.advance(Duration.ofHours(1));
      }
      awaitFewGenerations(directory); // what is over is looked for once a second
      Opened.take(store, Opened.bucket(Algorithm.FIXED_WINDOW, MINUTE, "the last"), 1, 10);
    }
    assertTrue(generations(directory).size() <= FEW, () -> generations(directory).toString());
  }

  /** The bucket of a billing period is kept for 40 days beyond its end, and leaves soon after. */
  @Test
  void aQuotaThatIsOverIsGoneThreeWeeksLater() throws Exception {
    Path directory = home.resolve("a");
    Instant begin = ticker.instant();
    CalendarWindow month = CalendarWindow.period(begin, begin.plus(Duration.ofDays(31)));
    Policy quota =
        Policy.builder("quota").limit(10).period(begin, begin.plus(Duration.ofDays(31))).build();
    try (RocksDbStore store = Opened.store(directory, ticker)) {
      Opened.take(store, new BucketId(quota.spec(), Key.of("ann")), 1, 10);
    }
    ticker.advance(Duration.ofDays(31).plus(month.kept()).minus(Duration.ofHours(1)));
    try (RocksDbStore store = Opened.store(directory, ticker)) {
      assertEquals(1, store.size());
    }
    ticker.advance(Duration.ofDays(20));
    try (RocksDbStore store = Opened.store(directory, ticker)) {
      assertEquals(0, store.size());
    }
    assertEquals(List.of(), generations(directory));
  }

  private static void awaitFewGenerations(Path directory) throws InterruptedException {
    long end = System.nanoTime() + MINUTE.toNanos();
    while (generations(directory).size() > FEW) {
      assertTrue(System.nanoTime() < end, () -> generations(directory).toString());
      Thread.sleep(20);
    }
  }

  @Test
  void theDirectoryIsItsOwnersAlone() throws IOException {
    Opened.store(home.resolve("deep/a"), ticker).close();
    if (home.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      assertEquals(
          "rwx------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("deep/a"))));
    }
  }

  private static List<String> generations(Path directory) {
    List<String> names = new ArrayList<>();
    try (Options options = new Options()) {
      for (byte[] name : RocksDB.listColumnFamilies(options, directory.toString())) {
        names.add(new String(name, java.nio.charset.StandardCharsets.UTF_8));
      }
    } catch (org.rocksdb.RocksDBException broken) {
      throw new AssertionError(broken);
    }
    names.removeIf(name -> !name.startsWith("buckets."));
    return names;
  }

  private static long bytes(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }
}
