package io.weir.internal.control.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Holds the files of the console in memory. They are resources below {@code /io/weir/console/}, and
 * {@code files.txt} there lists them: class loaders can't, where a jar is within another one or in
 * a file system of its own. A path that isn't on the list leads nowhere.
 *
 * <p>Immutable.
 */
final class ConsoleFiles {
  private static final String DIRECTORY = "/io/weir/console/";
  private static final String LIST = "files.txt";

  private final Map<String, ConsoleFile> byPath;

  private ConsoleFiles(Map<String, ConsoleFile> byPath) {
    this.byPath = byPath;
  }

  static ConsoleFiles get() {
    return Loaded.FILES;
  }

  /** Finds a file by its path below the console's, such as {@code js/main.js}. */
  Optional<ConsoleFile> find(String path) {
    return Optional.ofNullable(byPath.get(path));
  }

  private static ConsoleFiles load() {
    Map<String, ConsoleFile> all = new TreeMap<>();
    String list = new String(read(LIST), StandardCharsets.UTF_8);
    for (String path : list.lines().filter(each -> !each.isBlank()).toList()) {
      all.put(path, ConsoleFile.of(path, read(path)));
    }
    return new ConsoleFiles(all);
  }

  private static byte[] read(String path) {
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(DIRECTORY + path)) {
      if (in == null) {
        throw new IllegalStateException("The console's file " + DIRECTORY + path + " is missing.");
      }
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Reads the files once, with the first request for one. */
  private static final class Loaded {
    static final ConsoleFiles FILES = load();
  }
}
