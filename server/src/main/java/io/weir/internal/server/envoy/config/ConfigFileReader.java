package io.weir.internal.server.envoy.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the files at some paths. Follows symbolic links; ignores names that begin with a dot, since
 * Kubernetes keeps the versions of a mounted ConfigMap in such folders. Immutable.
 */
final class ConfigFileReader {
  private static final int MAX_BYTES = 16 * 1024 * 1024;

  private final List<Path> paths;

  ConfigFileReader(List<Path> paths) {
    this.paths = List.copyOf(paths);
  }

  /**
   * Reads all files.
   *
   * @return the content of each; empty for one that can't be read or is too large
   * @throws IOException if a folder can't be listed
   */
  Map<Path, Optional<byte[]>> read() throws IOException {
    Map<Path, Optional<byte[]>> contents = new TreeMap<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        readFolder(path, contents);
      } else {
        readFile(path, contents);
      }
    }
    return contents;
  }

  private static void readFolder(Path folder, Map<Path, Optional<byte[]>> contents)
      throws IOException {
    try (DirectoryStream<Path> members =
        Files.newDirectoryStream(folder, ConfigFileReader::isRead)) {
      for (Path each : members) {
        readFile(each, contents);
      }
    } catch (NoSuchFileException | NotDirectoryException gone) {
      // removed in the meantime
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    }
  }

  private static boolean isRead(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return !name.startsWith(".")
        && (name.endsWith(".yaml") || name.endsWith(".yml"))
        && !Files.isDirectory(file);
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
