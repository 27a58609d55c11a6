package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs programs that Maven doesn't provide. */
public final class Programs {
  private static final long PATIENCE_SECONDS = 120;

  private Programs() {}

  /** Returns the output of a program, including its errors; it must end by itself. */
  public static String run(Path directory, List<String> words) {
    try {
      Path said = Files.createTempFile(directory, "said", ".txt");
      Process process = start(directory, said, words);
      assertTrue(
          process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> words.get(0) + " doesn't end");
      return Files.readString(said).strip();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  /** Starts one that goes on, and writes what it says to a file. */
  public static Process start(Path directory, Path said, List<String> words) throws IOException {
    ProcessBuilder program = new ProcessBuilder(words);
    program.environment().put("HOME", directory.toString());
    program.environment().remove("XDG_DATA_HOME");
    program.environment().remove("XDG_CONFIG_HOME");
    return program
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(said.toFile())
        .start();
  }
}
