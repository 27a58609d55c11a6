package io.weir.test.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads the page of settings. */
public final class SettingsPage {
  private static final Path PAGE = Path.of("docs/settings.md");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`weir[.][^|]*) \\|");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  private SettingsPage() {}

  /**
   * Returns the settings that the rows of the page name.
   *
   * @param prefix the beginning of their names, up to a dot
   */
  public static Set<String> names(String prefix) throws IOException {
    Set<String> names = new TreeSet<>();
    ROW.matcher(Files.readString(page()))
        .results()
        .map(row -> row.group(1))
        .filter(row -> row.startsWith("`" + prefix))
        .forEach(row -> names.addAll(inRow(row, prefix)));
    return names;
  }

  /** Returns the names of a row, in which those after the first may begin with their last dot. */
  private static Set<String> inRow(String row, String prefix) {
    Set<String> names = new TreeSet<>();
    NAME.matcher(row)
        .results()
        .map(found -> found.group(1))
        .map(name -> name.startsWith(".") ? prefix + name.substring(1) : name)
        .forEach(names::add);
    return names;
  }

  /** Finds the page in this directory or the nearest above that has it. */
  private static Path page() throws IOException {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve(PAGE))) {
        return at.resolve(PAGE);
      }
    }
    throw new IOException(PAGE + " isn't above " + Path.of("").toAbsolutePath());
  }
}
