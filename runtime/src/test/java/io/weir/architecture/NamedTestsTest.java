package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each test that the project's pages name exists. */
class NamedTestsTest {
  private static final Pattern NAMED =
      Pattern.compile("`(?:[\\w.]+\\.)?([A-Z]\\w*(?:Test|Contract))`");

  /** A test in a pom, without its folders, and not a pattern that ends in such a name. */
  private static final Pattern IN_POM = Pattern.compile("(?<![*\\w])([A-Z]\\w*Test)\\b");

  private static final Pattern TYPE =
      Pattern.compile("`(?:[a-z]\\w*[.])*([A-Z]\\w*[a-z]\\w*)(?:[.]\\w+)?(?:\\([^`]*\\))?`");
  private static final Set<String> OF_OTHERS =
      Set.of(
          "ConcurrentHashMap",
          "DynamicFeature",
          "FilterRegistration",
          "ForwardedHeaderFilter",
          "HandlerAdapter",
          "Ordered",
          "PriorityOrdered",
          "RemoteIpFilter",
          "RemoteIpValve",
          "ServletRequestWrapper",
          "WebHandler",
          // The page on adapters has one for another framework.
          "ApplicationContext",
          "AsyncListener",
          "Micronaut",
          "Mono",
          "Optional",
          "SeenRequest");
  private static final Path HOUSE = house();

  private static Path house() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/promises.md"))) {
      at = at.getParent();
    }
    return at;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void existUnderTheNamesThatPagesGiveThem(Path page) throws IOException {
    Set<String> missing = named(page);
    missing.removeAll(written());
    assertEquals(Set.of(), missing, page::toString);
  }

  /** A test that was renamed would be left out of a run without a word. */
  @Test
  void existUnderTheNamesThatPomsGiveThem() throws IOException {
    Set<String> missing = new TreeSet<>();
    try (Stream<Path> files = Files.walk(HOUSE, 3)) {
      for (Path each : files.filter(file -> file.endsWith("pom.xml")).toList()) {
        missing.addAll(matched(IN_POM, each));
      }
    }
    assertTrue(missing.contains("RulesSchemaMigratorTest"), missing::toString);
    missing.removeAll(written());
    assertEquals(Set.of(), missing);
  }

  @Test
  void areNamedAtAll() throws IOException {
    assertTrue(named(HOUSE.resolve("docs/design/tests.md")).size() > 20);
  }

  @Test
  void typesExistUnderTheNamesThatMaintainersReadOfThem() throws IOException {
    Set<String> missing = new TreeSet<>();
    for (Path page : pages()) {
      if (page.endsWith("ARCHITECTURE.md") || page.getParent().endsWith("design")) {
        missing.addAll(matched(TYPE, page));
      }
    }
    missing.removeAll(written());
    missing.removeAll(OF_OTHERS);
    assertEquals(Set.of(), missing);
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> top = Files.list(HOUSE);
        Stream<Path> docs = Files.walk(HOUSE.resolve("docs"), 2)) {
      Stream.concat(top, docs).filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  private static Set<String> named(Path page) throws IOException {
    return matched(NAMED, page);
  }

  private static Set<String> matched(Pattern name, Path page) throws IOException {
    return name.matcher(Files.readString(page))
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> written() throws IOException {
    Set<String> names = new TreeSet<>();
    Files.walkFileTree(
        HOUSE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes any) {
            String name = folder.getFileName().toString();
            boolean ours = !name.equals("target") && !name.startsWith(".");
            return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes any) {
            names.add(file.getFileName().toString().replaceFirst("[.]java$", ""));
            return FileVisitResult.CONTINUE;
          }
        });
    return names;
  }
}
