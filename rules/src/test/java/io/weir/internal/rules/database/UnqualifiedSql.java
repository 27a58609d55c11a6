package io.weir.internal.rules.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds statements in sources that name a table of Weir without its schema. */
final class UnqualifiedSql {
  private static final Pattern TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS weir[.](\\w+)");

  private UnqualifiedSql() {}

  static List<String> in(String folder) throws IOException {
    String tables =
        TABLE
            .matcher(
                TableColumns.SCRIPTS.stream().map(ScriptText::read).collect(Collectors.joining()))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.joining("|", "(?:FROM|INTO|UPDATE|JOIN) (?:", "|rule_changes)\\b"));
    Pattern unqualified = Pattern.compile(tables);
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> unqualified.matcher(text(file)).find())
          .map(Path::toString)
          .sorted()
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
