package io.weir.internal.server;

import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Finds programs that are Debian packages: installed ones, otherwise unpacked below {@code target},
 * for which root isn't needed. If neither is possible, the build says which tests it skipped.
 */
public final class DebianPrograms {
  private static final Path FETCH = Path.of("src/test/debian/fetch");
  private static final Path UNPACKED = Path.of("target/debian");
  private static final long PATIENCE_SECONDS = 120;

  private DebianPrograms() {}

  /** The program of a package of the same name. */
  public static synchronized Path need(String name) throws Exception {
    RequiredPrograms.assumePresent(RequiredPrograms.areAllowed(), name);
    Path unpacked = UNPACKED.resolve(name).toAbsolutePath();
    Optional<Path> found = RequiredPrograms.find(name, "/usr/sbin").or(() -> in(unpacked, name));
    if (found.isEmpty()) {
      found = unpack(unpacked, name);
    }
    RequiredPrograms.assumePresent(
        found.isPresent(), name + " (install it, or let apt-get reach its packages)");
    return found.orElseThrow();
  }

  /** Unpacks it, unless another JVM of these tests is about to. */
  private static Optional<Path> unpack(Path folder, String name) throws Exception {
    Files.createDirectories(UNPACKED);
    Path lock = UNPACKED.resolve("lock");
    try (FileChannel file =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = file.lock()) {
      Optional<Path> found = in(folder, name);
      return found.isPresent() || !fetch(folder, name) ? found : in(folder, name);
    }
  }

  private static Optional<Path> in(Path folder, String name) {
    return Stream.of("usr/sbin", "usr/bin")
        .map(place -> folder.resolve(place).resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static boolean fetch(Path folder, String name) throws Exception {
    Files.createDirectories(folder);
    try {
      Process fetch =
          new ProcessBuilder(List.of("sh", FETCH.toString(), folder.toString(), name))
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("output.txt").toFile())
              .start();
      if (fetch.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return fetch.exitValue() == 0;
      }
      fetch.descendants().forEach(ProcessHandle::destroy);
      fetch.destroy();
      return false;
    } catch (IOException noShell) {
      return false;
    }
  }
}
