package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed, and two at once. */
class KilledProcessTest {
  @TempDir private Path home;

  @RepeatedTest(2)
  void hasLostNothingThatItWasGranted() throws Exception {
    Path directory = home.resolve("buckets");
    Path said = home.resolve("granted");
    Process spender = start(directory, said);
    while (lines(said) < 3_000) {
      assertTrue(spender.isAlive());
      Thread.sleep(10);
    }
    spender.destroyForcibly();
    assertTrue(spender.waitFor(30, TimeUnit.SECONDS));
    long used = 0;
    try (RocksDbStore store = Opened.store(directory, Ticker.system())) {
      for (int caller = 0; caller < 10; caller++) {
        used +=
            Spender.LIMIT - Opened.left(store, Spender.bucket("caller " + caller), Spender.LIMIT);
      }
    }
    long told = lines(said);
    long counted = used;
    assertTrue(counted >= told, () -> told + " were granted, and " + counted + " are counted");
    assertTrue(counted <= told + 1, () -> told + " were granted, and " + counted + " are counted");
  }

  @Test
  void twoOnOneDirectoryAreRefused() throws Exception {
    Path directory = home.resolve("buckets");
    Path said = home.resolve("granted");
    Process spender = start(directory, said);
    try {
      awaitMore(spender, said);
      RuntimeException refused =
          assertThrows(RuntimeException.class, () -> Opened.store(directory, Ticker.system()));
      assertTrue(refused.getMessage().contains(directory.toString()), refused.getMessage());
      assertTrue(refused.getMessage().contains("one process's"), refused.getMessage());
      assertFalse(refused.getMessage().contains("damaged"), refused.getMessage());
      awaitMore(spender, said); // the other one goes on
    } finally {
      spender.destroyForcibly();
    }
  }

  @Test
  void twoStoresOfOneProcessAreRefusedAsWell() {
    Path directory = home.resolve("buckets");
    try (RocksDbStore first = Opened.store(directory, Ticker.system())) {
      RuntimeException refused =
          assertThrows(RuntimeException.class, () -> Opened.store(directory, Ticker.system()));
      assertTrue(refused.getMessage().contains("one process's"), refused.getMessage());
      assertEquals(1, Opened.take(first, Spender.bucket("alice"), 1, 10));
    }
    Opened.store(directory, Ticker.system()).close();
  }

  private static Process start(Path directory, Path output) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "-XX:+UseSerialGC",
            Spender.class.getName(),
            directory.toString())
        .redirectOutput(output.toFile())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static void awaitMore(Process process, Path output) throws Exception {
    long before = lines(output);
    while (lines(output) == before) {
      assertTrue(process.isAlive());
      Thread.sleep(10);
    }
  }

  private static long lines(Path output) throws IOException {
    return Files.readString(output).chars().filter(each -> each == '\n').count();
  }
}
