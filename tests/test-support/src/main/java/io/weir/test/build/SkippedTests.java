package io.weir.test.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Counts the tests that the last builds have skipped, by reason. Reads Surefire's reports.
 *
 * <p>A build prints it at its end ({@link BuildEnd}). After one: {@code java SkippedTests.java .},
 * with this file's path, from the outermost folder. With {@code --without-programs} it lists a line
 * for each module that lacked a program: the module, and the classes whose tests were skipped.
 */
public final class SkippedTests {
  /** What {@code io.weir.seeds.RequiredPrograms} begins a reason with. */
  private static final String PROGRAM = "program missing: ";

  private static final Set<String> OTHERS = Set.of(".git", "node_modules", "src");

  private final Path root;
  private final FileTime since;
  private final Map<String, Integer> byReason = new TreeMap<>();
  private final Map<String, Set<String>> withoutPrograms = new TreeMap<>();
  private int all;

  private SkippedTests(Path root, FileTime since) {
    this.root = root;
    this.since = since;
  }

  /**
   * Reads the reports of all modules below a folder.
   *
   * @param root the folder of the outermost {@code pom.xml}
   * @return what was skipped
   * @throws UncheckedIOException if a report can't be read
   */
  public static SkippedTests in(Path root) {
    return in(root, FileTime.fromMillis(0));
  }

  /** Reads the reports that were written since a build began. */
  static SkippedTests in(Path root, FileTime since) {
    SkippedTests tests = new SkippedTests(root, since);
    tests.reports().forEach(tests::read);
    return tests;
  }

  private List<Path> reports() {
    List<Path> reports = new ArrayList<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              Path parent = folder.getParent();
              boolean isOther =
                  (!folder.equals(root) && OTHERS.contains(folder.getFileName().toString()))
                      || (parent != null
                          && parent.endsWith("target")
                          && !folder.endsWith("surefire-reports"));
              return isOther ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (file.getFileName().toString().matches("TEST-.*\\.xml")
                  && attributes.lastModifiedTime().compareTo(since) >= 0) {
                reports.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return reports;
  }

  private void read(Path report) {
    try (InputStream in = Files.newInputStream(report)) {
      XMLStreamReader xml = XMLInputFactory.newFactory().createXMLStreamReader(in);
      String test = "";
      while (xml.hasNext()) {
        if (xml.next() != XMLStreamConstants.START_ELEMENT) {
          continue;
        }
        if (xml.getLocalName().equals("testcase")) {
          all++;
          test = xml.getAttributeValue(null, "classname");
        } else if (xml.getLocalName().equals("skipped")) {
          String message = xml.getAttributeValue(null, "message");
          skip(report, test, reason(message == null ? xml.getElementText() : message));
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (XMLStreamException malformed) {
      throw new IllegalStateException(report + " isn't a report of Surefire", malformed);
    }
  }

  /** Returns the first line of a message, or of an exception with its stack. */
  private static String reason(String text) {
    String line = text.strip().lines().findFirst().orElse("no reason given");
    return line.replaceFirst("^[\\w.]+Exception: ", "").replaceFirst("^Assumption failed: ", "");
  }

  private void skip(Path report, String test, String reason) {
    byReason.merge(reason, 1, Integer::sum);
    if (reason.startsWith(PROGRAM)) {
      Path module = root.relativize(report.resolve("../../..").normalize());
      withoutPrograms
          .computeIfAbsent(module.toString(), each -> new TreeSet<>())
          .add(test.replaceFirst("\\$.*", ""));
    }
  }

  /** Returns the number of tests that were run or skipped. */
  int count() {
    return all;
  }

  /**
   * Lists the reasons, the most frequent first, after the sum.
   *
   * @return lines
   */
  public List<String> summary() {
    int skipped = byReason.values().stream().mapToInt(Integer::intValue).sum();
    List<String> lines = new ArrayList<>();
    lines.add(skipped + " of " + all + " tests were skipped:");
    byReason.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
        .forEach(
            each ->
                lines.add(String.format(Locale.ROOT, "%6d  %s", each.getValue(), each.getKey())));
    return lines;
  }

  /**
   * Lists the modules where a program was missing, each with its classes, as {@code -Dtest} takes
   * them.
   *
   * @return lines of a module, a space and classes
   */
  public List<String> withoutPrograms() {
    List<String> lines = new ArrayList<>();
    withoutPrograms.forEach(
        (module, classes) -> lines.add(module + " " + String.join(",", classes)));
    return lines;
  }

  /**
   * Prints the summary, or with {@code --without-programs} the classes that lacked a program.
   *
   * @param words a folder, and the option before it
   */
  public static void main(String[] words) {
    SkippedTests tests = in(Path.of(words[words.length - 1]));
    boolean programs = words[0].equals("--without-programs");
    (programs ? tests.withoutPrograms() : tests.summary()).forEach(System.out::println);
  }
}
