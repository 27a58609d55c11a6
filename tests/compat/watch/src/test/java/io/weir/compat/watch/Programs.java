package io.weir.compat.watch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs that Maven doesn't provide. */
final class Programs {
  private static final long PATIENCE_SECONDS = 300;

  private Programs() {}

  /** The end of a program: its status, and its output with its errors. */
  record Ended(int status, String output) {}

  /** Runs a program that ends by itself. */
  static Ended run(Path directory, String... words) {
    try {
      Path output = Files.createTempFile("weir-program", ".txt");
      Process process =
          new ProcessBuilder(List.of(words))
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      assertTrue(
          process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> words[0] + " doesn't end");
      String text = Files.readString(output);
      Files.delete(output);
      return new Ended(process.exitValue(), text);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }
}
