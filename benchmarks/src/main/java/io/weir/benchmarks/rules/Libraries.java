package io.weir.benchmarks.rules;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The class path with weir-rules and a PostgreSQL, which only this suite has: all others measure an
 * application without them.
 */
final class Libraries {
  private static final String FOLDER = "lib-rules";

  private Libraries() {}

  /** The libraries beside the jar; a test has them on its own class path. */
  static String classPath() throws IOException {
    String all = System.getProperty("java.class.path");
    Path first = Path.of(all.split(File.pathSeparator, -1)[0]);
    Path beside = first.resolveSibling(FOLDER);
    if (!first.toString().endsWith(".jar") || !Files.isDirectory(beside)) {
      return all;
    }
    try (Stream<Path> jars = Files.list(beside)) {
      List<String> more = jars.map(Path::toString).sorted().toList();
      return all + File.pathSeparator + String.join(File.pathSeparator, more);
    }
  }
}
