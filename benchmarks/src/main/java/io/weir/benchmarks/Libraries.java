package io.weir.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The class path with weir-rules, weir-postgres, weir-server and a PostgreSQL, for the suites that
 * measure them: all others measure an application without them.
 */
public final class Libraries {
  private static final String FOLDER = "lib-apart";

  private Libraries() {}

  /** Returns the libraries beside the jar; a test has them on its own class path. */
  public static String classPath() throws IOException {
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
