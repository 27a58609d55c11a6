package io.weir.test.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that docs/design/tests.md lists the modules and classes that don't run every day. */
class TurnsTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");
  private static final Pattern TURN =
      Pattern.compile("(?m)^@OneDayIn\\(|<weir\\.phase\\.turn>\\$\\{");

  private static final String SECTION = "\n## What goes by turns\n";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @Test
  void thePageListsWhatDoesNotRunEveryDay() throws IOException {
    assertEquals(String.join("\n", turns()), String.join("\n", listed()));
  }

  /** Returns modules, and classes each behind its module. */
  private static Set<String> turns() throws IOException {
    Set<String> turns = new TreeSet<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return SKIPPED.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String path = ROOT.relativize(file).toString();
            if (path.matches(".+/pom\\.xml|.+/src/.+\\.java")
                && TURN.matcher(Files.readString(file)).find()) {
              turns.add(path.replaceFirst("/pom\\.xml|/src/.*/(\\w+)\\.java", " $1").strip());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return turns;
  }

  private static Set<String> listed() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/design/tests.md"));
    String section = page.substring(page.indexOf(SECTION) + SECTION.length());
    Set<String> listed = new TreeSet<>();
    for (String row : section.substring(0, section.indexOf("\n## ")).split("\n")) {
      List<String> names =
          CODE.matcher(row).results().map((MatchResult name) -> name.group(1)).toList();
      if (row.startsWith("| whole modules")) {
        listed.addAll(names);
      } else if (row.startsWith("| classes of")) {
        names.subList(1, names.size()).forEach(each -> listed.add(names.get(0) + " " + each));
      }
    }
    return listed;
  }
}
