package io.weir.seeds;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds programs that Maven doesn't provide. If one is missing, the build reports the tests that it
 * skipped.
 */
public final class RequiredPrograms {
  private RequiredPrograms() {}

  /** Skips a test unless all are on the path. */
  public static void assumePresent(String... programs) {
    for (String each : programs) {
      boolean isThere =
          Arrays.stream(System.getenv("PATH").split(":", -1))
              .anyMatch(folder -> Files.isExecutable(Path.of(folder, each)));
      if (!isThere) {
        System.out.println("left out: what needs " + each);
      }
      Assumptions.assumeTrue(isThere, each);
    }
  }
}
