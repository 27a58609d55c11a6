package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import io.weir.store.ExactBuckets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed, and two at once. */
@OneDayIn(2)
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
    assertTrue(spender.waitFor(120, TimeUnit.SECONDS));
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

  /** At any moment: while the journal turns, too, and while buckets come and go. */
  @Test
  void exactCountsHaveLostNothingThatWasReplied() throws Exception {
    Path directory = home.resolve("buckets");
    ByteBuffer notes = ExactSpender.notes(home.resolve("notes"));
    Random random = new Random(Seeds.first());
    for (int kill = 0; kill < Seeds.times(2, 4); kill++) {
      long before = noted(notes);
      Process spender =
          start(
              ExactSpender.class,
              home.resolve("said"),
              directory.toString(),
              home.resolve("notes").toString(),
              Long.toString(random.nextLong()));
      while (noted(notes) < before + 3_000) {
        assertTrue(spender.isAlive());
        Thread.sleep(10);
      }
      Thread.sleep(random.nextInt(200));
      spender.destroyForcibly();
      assertTrue(spender.waitFor(120, TimeUnit.SECONDS));
      long more = 0;
      try (RocksDbStore store = Opened.tight(directory, Ticker.system())) {
        ExactBuckets buckets = store.exactBuckets().orElseThrow();
        for (int bucket = 0; bucket < ExactSpender.BUCKETS; bucket++) {
          long left =
              buckets
                  .execute(ExactSpender.request(bucket, 0))
                  .toCompletableFuture()
                  .orTimeout(120, TimeUnit.SECONDS)
                  .join()
                  .tokens();
          long counted = ExactSpender.TOKENS - left;
          long noted = ExactSpender.noted(notes, bucket);
          assertTrue(counted >= noted, () -> noted + " were replied, and " + counted + " counted");
          more += counted - noted;
        }
      }
      long unreplied = more;
      int mostUnreplied = (kill + 1) * ExactSpender.THREADS;
      assertTrue(unreplied <= mostUnreplied, () -> unreplied + " were counted and not replied");
    }
  }

  private static long noted(ByteBuffer notes) {
    return IntStream.range(0, ExactSpender.BUCKETS)
        .mapToLong(bucket -> ExactSpender.noted(notes, bucket))
        .sum();
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
      assertTrue(refused.getMessage().contains("only one process"), refused.getMessage());
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
      assertTrue(refused.getMessage().contains("only one process"), refused.getMessage());
      assertEquals(1, Opened.take(first, Spender.bucket("alice"), 1, 10));
    }
    Opened.store(directory, Ticker.system()).close();
  }

  private static Process start(Path directory, Path output) throws IOException {
    return start(Spender.class, output, directory.toString());
  }

  private static Process start(Class<?> main, Path output, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
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
