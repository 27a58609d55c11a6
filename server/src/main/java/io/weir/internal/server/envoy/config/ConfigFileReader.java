package io.weir.internal.server.envoy.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads the files at some paths, and in folders within folders there. Follows symbolic links, but
 * into no folder that it is in already; ignores names that begin with a dot, since Kubernetes keeps
 * the versions of a mounted ConfigMap in such folders. Warns once of each inner folder that it may
 * not read, such as the {@code lost+found} of a volume. Confine to one thread.
 */
class ConfigFileReader {
  private static final int MAX_BYTES = 16 * 1024 * 1024;

  private static final System.Logger LOG = System.getLogger("io.weir");

  private final List<Path> paths;
  private final Set<Path> closed = new HashSet<>();

  ConfigFileReader(List<Path> paths) {
    this.paths = List.copyOf(paths);
  }

  /**
   * Reads the content of all files; empty for one that can't be read or is too large.
   *
   * @throws IOException if a folder can't be listed
   */
  Map<Path, Optional<byte[]>> read() throws IOException {
    Map<Path, Optional<byte[]>> contents = new TreeMap<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        readFolder(path, Set.of(), contents);
      } else {
        readFile(path, contents);
      }
    }
    return contents;
  }

  /**
   * Reads a folder.
   *
   * @param outer the real paths of the folders that it is in
   */
  private void readFolder(Path folder, Set<Path> outer, Map<Path, Optional<byte[]>> contents)
      throws IOException {
    try {
      Set<Path> inside = new HashSet<>(outer);
      if (!inside.add(folder.toRealPath())) {
        return;
      }
      for (Path each : members(folder)) {
        if (Files.isDirectory(each)) {
          readInnerFolder(each, inside, contents);
        } else if (isYaml(each)) {
          readFile(each, contents);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException gone) {
      // removed in the meantime
    }
  }

  private void readInnerFolder(Path folder, Set<Path> outer, Map<Path, Optional<byte[]>> contents)
      throws IOException {
    try {
      readFolder(folder, outer, contents);
    } catch (AccessDeniedException denied) {
      if (closed.add(folder)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "Envoy's rate limits in "
                + folder
                + " can't be read: this process lacks the permission");
      }
    }
  }

  List<Path> members(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> members =
        Files.newDirectoryStream(folder, ConfigFileReader::isVisible)) {
      members.forEach(all::add);
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    }
    return all;
  }

  private static boolean isVisible(Path member) {
    return !member.getFileName().toString().startsWith(".");
  }

  private static boolean isYaml(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  private static void readFile(Path file, Map<Path, Optional<byte[]>> contents) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] content = in.readNBytes(MAX_BYTES + 1);
      contents.put(file, content.length > MAX_BYTES ? Optional.empty() : Optional.of(content));
    } catch (NoSuchFileException gone) {
      // removed in the meantime, or not there yet
    } catch (IOException unreadable) {
      contents.put(file, Optional.empty());
    }
  }
}
