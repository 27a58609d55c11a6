package io.weir.test.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The compiled cells of a column: annotations as methods that have them, all else as expressions,
 * or as statements where it ends with a semicolon. Settings and words aren't compiled.
 */
final class MovingCode {
  private final List<String> cells;
  private final Class<?> type;

  private MovingCode(List<String> cells, Class<?> type) {
    this.cells = cells;
    this.type = type;
  }

  /**
   * Compiles all cells at once.
   *
   * @param folder an empty one
   * @param name a class
   * @param imports what a reader has imported
   * @param parameters the variables that cells use, with their types
   */
  static MovingCode compile(
      Path folder, String name, List<String> cells, String imports, String parameters) {
    StringBuilder source = new StringBuilder(imports).append("public class " + name + " {\n");
    for (int i = 0; i < cells.size(); i++) {
      source.append(member(i, cells.get(i), parameters));
    }
    source.append("}\n");
    try {
      JavaSource.compile(folder, name, source.toString(), "docs/moving.md");
      URL[] places = {folder.toUri().toURL()};
      ClassLoader loader = new URLClassLoader(places, MovingCode.class.getClassLoader());
      return new MovingCode(cells, loader.loadClass(name));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (ClassNotFoundException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static String member(int number, String cell, String parameters) {
    if (cell.startsWith("@")) {
      return "public static class Row" + number + " { " + cell + " public void limited() {} }\n";
    }
    if (!cell.contains("(")) {
      return "";
    }
    String body = cell.endsWith(";") ? cell + " return null;" : "return " + cell + ";";
    return String.format(
        java.util.Locale.ROOT,
        "public static Object row%d(%s) throws Exception { %s }%n",
        number,
        parameters,
        body);
  }

  /** Runs a row's code with values for its variables. */
  Object run(MovingTable.Row row, Object... variables) throws Exception {
    Method method =
        Arrays.stream(type.getMethods())
            .filter(each -> each.getName().equals("row" + row.number()))
            .findFirst()
            .orElseThrow(() -> new AssertionError("not code: " + cells.get(row.number())));
    try {
      return method.invoke(null, variables);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
  }

  /** Returns the class whose method {@code limited} has a row's annotations. */
  Class<?> annotated(MovingTable.Row row) throws ClassNotFoundException {
    return type.getClassLoader().loadClass(type.getName() + "$Row" + row.number());
  }
}
