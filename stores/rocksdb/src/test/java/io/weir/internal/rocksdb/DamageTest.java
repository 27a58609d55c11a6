package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that decay or go. */
@OneDayIn(2)
class DamageTest {
  private static final int CALLERS = 2_000;

  @TempDir private Path home;

  private final FakeTicker ticker = new FakeTicker();

  @Test
  void aMissingFileIsReportedWithTheDirectoryAndWhatToDo() throws IOException {
    Path directory = filled("a");
    Files.delete(file(directory, ".sst"));
    RuntimeException refused =
        assertThrows(RuntimeException.class, () -> Opened.store(directory, ticker));
    assertTrue(refused.getMessage().contains(directory.toString()), refused.getMessage());
    assertTrue(refused.getMessage().contains("is damaged"), refused.getMessage());
    assertTrue(refused.getMessage().contains("move the directory away"), refused.getMessage());
  }

  /**
   * Either the start fails, or the claims of what can't be read: no caller ever gets back what it
   * has spent.
   */
  @Test
  void aByteThatDecaysLosesNothingSilently() throws IOException {
    Random random = new Random(Seeds.first());
    int reported = 0;
    int times = Seeds.times(12);
    for (int i = 0; i < times; i++) {
      Path directory = filled("a" + i);
      Path victim = file(directory, ".sst");
      byte[] bytes = Files.readAllBytes(victim);
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 + random.nextInt(255));
      Files.write(victim, bytes);
      try (RocksDbStore store = Opened.store(directory, ticker)) {
        boolean isWhole = true;
        for (int caller = 0; caller < CALLERS; caller++) {
          Optional<Grant> peeked = peek(store, caller);
          isWhole &= peeked.isPresent();
          int number = caller;
          peeked.ifPresent(grant -> assertEquals(0, grant.left(), "caller " + number));
        }
        reported += isWhole ? 0 : 1;
      } catch (DatabaseException refused) {
        assertTrue(String.valueOf(refused.getMessage()).contains("damaged"), refused::toString);
        reported++;
      }
    }
    assertTrue(reported > times / 2, reported + " of " + times);
  }

  private static Optional<Grant> peek(RocksDbStore store, int caller) {
    return store
        .execute(List.of(Claim.peek(bucket(caller), 1, 5, 5)))
        .toCompletableFuture()
        .orTimeout(120, TimeUnit.SECONDS)
        .join()
        .get(0);
  }

  /** Claims that are executed together with one of what can't be read. */
  @Test
  void oneBlockThatCantBeReadFailsItsOwnClaimsAlone() throws IOException {
    Path directory = filled("a");
    Path table = file(directory, ".sst");
    byte[] bytes = Files.readAllBytes(table);
    bytes[2_000] ^= 0x55; // in the first block of buckets
    Files.write(table, bytes);
    List<Claim> claims = new ArrayList<>();
    for (int caller = 0; caller < 2 * CALLERS; caller++) {
      claims.add(Claim.builder(bucket(caller), 5, 5).needed(1).atLeast(1).build());
    }
    try (RocksDbStore store = Opened.store(directory, ticker)) {
      List<Optional<Grant>> grants =
          store.execute(claims).toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
      int failed = 0;
      for (int caller = 0; caller < grants.size(); caller++) {
        Grant grant = grants.get(caller).orElse(null);
        if (grant == null) {
          failed++;
        } else {
          assertEquals(caller < CALLERS ? 0 : 1, grant.permits(), "caller " + caller);
        }
      }
      assertTrue(failed > 0 && failed < CALLERS / 4, failed + " of " + claims.size());
    }
  }

  /** The journal has their whole state, so what the block had of them isn't needed. */
  @Test
  void bucketsOfABlockThatCantBeReadComeBackFromTheJournal() throws IOException {
    Path directory = home.resolve("exact");
    Path copy = home.resolve("copy");
    spendExact(directory).close();
    openExact(directory).close(); // the log becomes a table
    try (RocksDbStore store = spendExact(directory)) {
      copy(directory, copy); // as a killed process leaves it
      assertEquals(ExactSpender.TOKENS - 2, exact(store, 0, 0));
    }
    Path table = file(copy, ".sst");
    byte[] bytes = Files.readAllBytes(table);
    bytes[2_000] ^= 0x55; // in the first block of buckets
    Files.write(table, bytes);
    try (RocksDbStore store = openExact(copy)) {
      for (int bucket = 0; bucket < CALLERS; bucket++) {
        assertEquals(ExactSpender.TOKENS - 2, exact(store, bucket, 0), "bucket " + bucket);
      }
    }
  }

  private RocksDbStore openExact(Path directory) {
    return new RocksDbStore(
        directory,
        8 << 20,
        new ExactTableSizes(2 * CALLERS, 1 << 20),
        Duration.ofHours(1),
        DiskSync.SYSTEM,
        BucketHasher.of("secret"),
        ticker);
  }

  private RocksDbStore spendExact(Path directory) {
    RocksDbStore store = openExact(directory);
    for (int bucket = 0; bucket < CALLERS; bucket++) {
      exact(store, bucket, 1);
    }
    return store;
  }

  private static long exact(RocksDbStore store, int bucket, long permits) {
    return store
        .exactBuckets()
        .orElseThrow()
        .execute(ExactSpender.request(bucket, permits))
        .toCompletableFuture()
        .orTimeout(120, TimeUnit.SECONDS)
        .join()
        .tokens();
  }

  @Test
  void aPathWithLockInItIsNotInUse() throws IOException {
    Path directory = filled("lock/it.lock");
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(each -> each.toString().contains("MANIFEST")).toList()) {
        Files.delete(file);
      }
    }
    RuntimeException refused =
        assertThrows(RuntimeException.class, () -> Opened.store(directory, ticker));
    assertFalse(refused.getMessage().contains("in use"), refused.getMessage());
    assertTrue(refused.getMessage().contains("MANIFEST"), refused.getMessage());
  }

  @Test
  void aJournalThatIsDamagedIsReportedAndLeftAsItIs() throws IOException {
    Path directory = home.resolve("exact");
    try (RocksDbStore store = Opened.tight(directory, ticker)) {
      for (int bucket = 0; bucket < 10; bucket++) {
        var unused =
            store
                .exactBuckets()
                .orElseThrow()
                .execute(ExactSpender.request(bucket, 5))
                .toCompletableFuture()
                .join();
      }
    }
    Path journal = directory.resolve("exact-1.journal");
    byte[] whole = Files.readAllBytes(journal);
    for (byte[] damage : List.of(new byte[0], new byte[whole.length], new byte[100])) {
      Files.write(journal, damage);
      RuntimeException refused =
          assertThrows(RuntimeException.class, () -> Opened.tight(directory, ticker));
      assertTrue(refused.getMessage().contains("is damaged"), refused.getMessage());
      assertTrue(refused.getMessage().contains("exact-1.journal"), refused.getMessage());
    }
    Files.delete(journal);
    assertThrows(RuntimeException.class, () -> Opened.tight(directory, ticker));
    Files.write(journal, whole);
    Opened.tight(directory, ticker).close();
  }

  /** Synced data must be there; the log is left as it is, so a copy of it may still help. */
  @Test
  void aLogThatWasCutOffBeforeWhatWasSyncedIsReported() throws IOException {
    Path directory = home.resolve("log");
    Path copy = home.resolve("copy");
    try (RocksDbStore store = Opened.store(directory, ticker)) {
      for (int caller = 0; caller < CALLERS; caller++) {
        Opened.take(store, bucket(caller), 5, 5);
      }
      store.sync();
      copy(directory, copy);
    }
    Path log = file(copy, ".log");
    byte[] whole = Files.readAllBytes(log);
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    for (int start = 0; start < 2; start++) {
      Files.write(log, cut);
      RuntimeException refused =
          assertThrows(RuntimeException.class, () -> Opened.store(copy, ticker));
      assertTrue(refused.getMessage().contains("is damaged"), refused.getMessage());
      assertArrayEquals(cut, Files.readAllBytes(log));
    }
    Files.write(log, whole);
    try (RocksDbStore store = Opened.store(copy, ticker)) {
      assertEquals(0, Opened.left(store, bucket(0), 5));
    }
    for (Path each : List.of(copy.resolve("CURRENT"), log)) {
      Files.deleteIfExists(each);
    }
    assertThrows(RuntimeException.class, () -> Opened.store(copy, ticker));
  }

  /** Of a log all that was synced must be whole. */
  @Test
  void aLogThatDecaysInItsMiddleIsReported() throws IOException {
    Path directory = home.resolve("log");
    RocksDbStore store = Opened.store(directory, ticker);
    for (int caller = 0; caller < CALLERS; caller++) {
      Opened.take(store, bucket(caller), 5, 5);
    }
    Path copy = home.resolve("copy"); // as a killed process leaves it
    store.close();
    try (RocksDbStore again = Opened.store(directory, ticker)) {
      for (int caller = 0; caller < CALLERS; caller++) {
        Opened.take(again, bucket(caller + CALLERS), 5, 5);
      }
      again.sync();
      copy(directory, copy);
    }
    Path log = file(copy, ".log");
    byte[] bytes = Files.readAllBytes(log);
    bytes[bytes.length / 2] ^= 0x55;
    Files.write(log, bytes);
    RuntimeException refused =
        assertThrows(RuntimeException.class, () -> Opened.store(copy, ticker));
    assertTrue(refused.getMessage().contains("is damaged"), refused.getMessage());
  }

  private Path filled(String name) {
    Path directory = home.resolve(name);
    try (RocksDbStore store = Opened.store(directory, ticker)) {
      for (int caller = 0; caller < CALLERS; caller++) {
        assertEquals(5, Opened.take(store, bucket(caller), 5, 5));
      }
    }
    Opened.store(directory, ticker).close(); // the log becomes a table
    return directory;
  }

  private static BucketId bucket(int caller) {
    return Opened.bucket(Algorithm.FIXED_WINDOW, Duration.ofDays(1), "caller " + caller);
  }

  /** The largest one with that ending. */
  private static Path file(Path directory, String ending) {
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.filter(file -> file.toString().endsWith(ending)).toList();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return files.stream()
        .max((one, other) -> Long.compare(one.toFile().length(), other.toFile().length()))
        .orElseThrow(() -> new AssertionError("no " + ending + " in " + directory));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
