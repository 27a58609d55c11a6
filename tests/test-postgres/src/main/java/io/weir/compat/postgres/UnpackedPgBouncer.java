package io.weir.compat.postgres;

import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds a PgBouncer that {@code tests/compat/postgres/fetch-pgbouncer} has unpacked with the
 * libraries of its release of Debian, which aren't those of this machine.
 */
final class UnpackedPgBouncer {
  private UnpackedPgBouncer() {}

  /** Returns the command that runs it; empty if it isn't there. */
  static Optional<List<String>> command(String version) {
    Path folder = home().resolve(version);
    Path program = folder.resolve("usr/sbin/pgbouncer");
    if (!RequiredPrograms.areAllowed() || !Files.isExecutable(program)) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("unshare", "-U")); // PgBouncer refuses to run as root
    }
    command.addAll(loader(folder));
    command.add(program.toString());
    return Optional.of(command);
  }

  private static Path home() {
    String given = System.getenv("WEIR_TEST_PGBOUNCER");
    String caches = System.getenv("XDG_CACHE_HOME");
    Path cache =
        caches == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(caches);
    return given == null ? cache.resolve("weir/pgbouncer") : Path.of(given);
  }

  /** Returns the loader of programs that came with the libraries. */
  private static List<String> loader(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> libraries =
          files.filter(Files::isRegularFile).filter(UnpackedPgBouncer::isLibrary).toList();
      Path loader =
          libraries.stream()
              .filter(file -> file.getFileName().toString().startsWith("ld-linux"))
              .findFirst()
              .orElseThrow();
      String path =
          libraries.stream()
              .map(file -> file.resolveSibling("").toString())
              .distinct()
              .collect(Collectors.joining(":"));
      return List.of(loader.toString(), "--library-path", path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isLibrary(Path file) {
    return file.getFileName().toString().matches("(lib.*|ld-linux.*)\\.so\\.[0-9.]+");
  }
}
