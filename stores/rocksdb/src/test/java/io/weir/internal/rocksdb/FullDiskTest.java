package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that takes no more. The system's limit on the size of a file stands for it, since tests
 * may not make disks; it can be lifted while the process runs.
 */
class FullDiskTest {
  private static final int CALLERS = 40_000;

  @TempDir private Path home;

  @Test
  void refusesSaysWhyGoesOnAndHasLostNothing() throws Exception {
    RequiredPrograms.assumePresent("prlimit");
    Path directory = home.resolve("buckets");
    Path said = home.resolve("said");
    Process filler =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                Filler.class.getName(),
                directory.toString(),
                Integer.toString(CALLERS))
            .redirectOutput(said.toFile())
            .redirectError(home.resolve("errors").toFile())
            .start();
    try {
      await(filler, () -> text(said).equals("ready\n"));
      limit(filler, "1048576");
      filler.getOutputStream().close();
      await(filler, () -> text(said).contains("failed at "));
      String message = text(said);
      assertTrue(message.contains(directory.toString()), message);
      assertTrue(message.contains("File too large") || message.contains("no space"), message);
      Thread.sleep(2_500); // long enough to be opened again in vain
      assertTrue(filler.isAlive());
      limit(filler, "unlimited");
      await(filler, () -> text(said).endsWith("done\n"));
      assertTrue(filler.waitFor(120, TimeUnit.SECONDS));
    } finally {
      filler.destroyForcibly();
    }
    assertTrue(!text(said).contains("not granted"), () -> text(said));
    try (RocksDbStore store = Opened.store(directory, Ticker.system())) {
      for (int caller = 0; caller < CALLERS; caller++) {
        assertEquals(0, Opened.left(store, Filler.bucket(caller), 1), "caller " + caller);
      }
    }
  }

  private static void await(Process process, BooleanSupplier condition) throws Exception {
    while (!condition.getAsBoolean()) {
      boolean isAlive = process.isAlive();
      if (!isAlive) {
        assertTrue(condition.getAsBoolean(), "ended with " + process.exitValue());
      }
      Thread.sleep(20);
    }
  }

  private static void limit(Process process, String bytes) throws InterruptedException {
    assertTrue(runs("prlimit", "--fsize=" + bytes + ":", "--pid", Long.toString(process.pid())));
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException broken) {
      throw new AssertionError(broken);
    }
  }
}
