package io.weir.internal.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the SQL that pages of documentation tell operators to run. */
final class DocumentedSql {
  static final List<String> PAGES = List.of("docs/postgres.md", "docs/design/postgres.md");
  private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).resolve("../..");
  private static final Pattern BLOCK = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

  private DocumentedSql() {}

  /** The block of SQL of a page that begins with a word. */
  static String block(String page, String word) {
    try {
      Matcher blocks = BLOCK.matcher(Files.readString(ROOT.resolve(page)));
      while (blocks.find()) {
        if (blocks.group(1).startsWith(word)) {
          return blocks.group(1);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError(page + " has no SQL that begins with " + word);
  }
}
