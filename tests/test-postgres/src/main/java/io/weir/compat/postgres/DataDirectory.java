package io.weir.compat.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Copies and deletes the files of servers. */
final class DataDirectory {
  /** Files of the running processes, which a copy must not have. */
  private static final Set<String> OF_PROCESSES =
      Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM = 4L << 30; // containers often have 64 MB

  private DataDirectory() {}

  /**
   * Makes a directory for the files of a server: in memory unless they are to survive the machine's
   * end. Each database has hundreds of files, which disks are slow to make and to delete.
   */
  static Path temporary(String what, boolean durable) {
    try {
      return durable || !hasRoom()
          ? Files.createTempDirectory("weir-" + what)
          : Files.createTempDirectory(MEMORY, "weir-" + what);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean hasRoom() throws IOException {
    return Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ROOM;
  }

  /** Copies all files; the target must not exist yet. */
  static void copy(Path from, Path to) {
    try (Stream<Path> found = Files.walk(from)) {
      List<Path> files =
          found.filter(file -> !OF_PROCESSES.contains(file.getFileName().toString())).toList();
      for (Path file : files) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a directory with all that it holds, if it exists. */
  static void delete(Path directory) {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Replaces a file by these lines. */
  static void write(Path file, String... lines) {
    try {
      Files.write(file, List.of(lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
