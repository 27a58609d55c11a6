package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import io.weir.store.BucketId;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that decay or go. */
class DamageTest {
  private static final int CALLERS = 2_000;

  @TempDir private Path home;

  private final FakeTicker ticker = new FakeTicker();

  @Test
  void aMissingFileIsToldWithTheDirectoryAndWhatToDo() throws IOException {
    Path directory = filled("a");
    Files.delete(file(directory, ".sst"));
    RuntimeException refused =
        assertThrows(RuntimeException.class, () -> Opened.store(directory, ticker));
    assertTrue(refused.getMessage().contains(directory.toString()), refused.getMessage());
    assertTrue(refused.getMessage().contains("is damaged"), refused.getMessage());
    assertTrue(refused.getMessage().contains("move the directory away"), refused.getMessage());
  }

  /** Either it is told, or nothing is missing: no caller ever gets back what it has spent. */
  @Test
  void aByteThatDecaysLosesNothingSilently() throws IOException {
    Random random = new Random(Seeds.first());
    int told = 0;
    int times = Seeds.times(12);
    for (int i = 0; i < times; i++) {
      Path directory = filled("a" + i);
      Path victim = file(directory, ".sst");
      byte[] bytes = Files.readAllBytes(victim);
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 + random.nextInt(255));
      Files.write(victim, bytes);
      try (RocksDbStore store = Opened.store(directory, ticker)) {
        for (int caller = 0; caller < CALLERS; caller++) {
          assertEquals(0, Opened.left(store, bucket(caller), 5), "caller " + caller);
        }
      } catch (DatabaseException | CompletionException refused) {
        assertTrue(String.valueOf(refused.getMessage()).contains("damaged"), refused::toString);
        told++;
      }
    }
    assertTrue(told > times / 2, told + " of " + times);
  }

  /** Of a log all but its very end must be whole. */
  @Test
  void aLogThatDecaysInItsMiddleIsTold() throws IOException {
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
