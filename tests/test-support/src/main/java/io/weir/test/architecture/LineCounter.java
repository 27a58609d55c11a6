package io.weir.test.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Counts the lines of what users get, by module: lines of code (no blank ones, no imports, no
 * comments), lines of comments, and types.
 *
 * <p>{@code java LineCounter.java .}, with this file's path, prints them for the project; {@code
 * java LineCounter.java . runtime/src/main/java/io/weir/internal/guard} for a folder of it.
 */
public final class LineCounter {
  /** The folders whose modules are published, and the server. */
  private static final List<String> PRODUCT =
      List.of(
          "annotations",
          "runtime",
          "stores",
          "rules",
          "control",
          "server",
          "integrations",
          "testkit");

  /** Matches comments, and texts, which may look like the beginning of one. */
  private static final Pattern TEXT_OR_COMMENT =
      Pattern.compile(
          "(\"{3}(?:[^\\\\\"]|\\\\.|\"(?!\"\"))*+\"{3}|\"(?:[^\"\\\\\\n]|\\\\.)*+\"|'(?:[^'\\\\]|\\\\.)+')"
              + "|(/\\*(?:[^*]|\\*(?!/))*+\\*/|//[^\\n]*)");

  private static final Pattern TYPE =
      Pattern.compile(
          "(?m)^ *(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed|strictfp) +)*"
              + "(?:class|interface|@interface|enum|record) +\\w");

  private LineCounter() {}

  /**
   * The lines of some sources.
   *
   * @param code that are neither blank nor only a comment, without imports
   * @param comments with a comment, and nothing else
   * @param types declared at the top or within others
   */
  record Lines(long code, long comments, long types) {
    static final Lines NONE = new Lines(0, 0, 0);

    static Lines of(String source) {
      StringBuilder without = new StringBuilder();
      long comments = 0;
      int from = 0;
      Matcher found = TEXT_OR_COMMENT.matcher(source);
      while (found.find()) {
        if (found.group(2) != null) {
          without.append(source, from, found.start());
          int line = source.lastIndexOf('\n', found.start()) + 1;
          comments += found.group().lines().count();
          comments -= source.substring(line, found.start()).isBlank() ? 0 : 1; // behind code
          from = found.end();
        }
      }
      without.append(source.substring(from));
      long code =
          without
              .toString()
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("import "))
              .count();
      return new Lines(code, comments, TYPE.matcher(without).results().count());
    }

    Lines plus(Lines other) {
      return new Lines(code + other.code, comments + other.comments, types + other.types);
    }
  }

  /**
   * Counts the sources below a folder, by module.
   *
   * @param folder one in which modules are, or within a module
   * @return by the path of the module, or of the folder if that is within one
   * @throws UncheckedIOException if a file can't be read
   */
  static Map<String, Lines> in(Path house, String folder) {
    Map<String, Lines> counted = new TreeMap<>();
    try (Stream<Path> files = Files.walk(house.resolve(folder))) {
      for (Path each : (Iterable<Path>) files::iterator) {
        String path = house.relativize(each).toString().replace('\\', '/');
        if (path.contains("src/main/java/") && path.endsWith(".java")) {
          String module =
              folder.contains("/src/") ? folder : path.substring(0, path.indexOf("/src/main/"));
          counted.merge(module, Lines.of(Files.readString(each)), Lines::plus);
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return counted;
  }

  private static Lines sum(Collection<Lines> lines) {
    return lines.stream().reduce(Lines.NONE, Lines::plus);
  }

  /**
   * Prints them.
   *
   * @param arguments the folder of the project, and folders in it; without, those of the product
   */
  public static void main(String[] arguments) {
    if (arguments.length == 0) {
      System.err.println("The folder of the project is missing: java LineCounter.java . [folder…]");
      System.exit(2);
    }
    List<String> folders =
        arguments.length > 1 ? List.of(arguments).subList(1, arguments.length) : PRODUCT;
    Map<String, Lines> counted = new TreeMap<>();
    folders.forEach(each -> counted.putAll(in(Path.of(arguments[0]), each)));
    System.out.printf(Locale.ROOT, "%8s %8s %6s%n", "code", "comments", "types");
    counted.forEach(LineCounter::print);
    print("together", sum(counted.values()));
  }

  private static void print(String name, Lines lines) {
    System.out.printf(
        Locale.ROOT, "%8d %8d %6d  %s%n", lines.code, lines.comments, lines.types, name);
  }
}
