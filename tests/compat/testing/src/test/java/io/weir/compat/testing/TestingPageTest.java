package io.weir.compat.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The Java of docs/testing.md is that of the tests beside this one, and so it compiles and runs.
 */
class TestingPageTest {
  private static final Path PAGE = Path.of("..", "..", "..", "docs", "testing.md");
  private static final Path SOURCES =
      Path.of("src", "test", "java", "io", "weir", "compat", "testing", "page");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");

  private static String withoutPackage(Path source) throws IOException {
    return tight(Files.readString(source).replaceFirst("^package [^;]+;\n\n", ""));
  }

  /** Leaves out white space: lines of the page are shorter than those of the formatter. */
  private static String tight(String java) {
    return java.replaceAll("\\s", "");
  }

  private static Set<String> sources() throws IOException {
    Set<String> sources = new TreeSet<>();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path each : files.toList()) {
        sources.add(withoutPackage(each));
      }
    }
    return sources;
  }

  @Test
  void eachBlockIsATestAndEachTestIsOnThePage() throws IOException {
    List<String> blocks =
        BLOCK.matcher(Files.readString(PAGE)).results().map(each -> tight(each.group(1))).toList();
    assertFalse(blocks.isEmpty());
    assertEquals(String.join("\n", sources()), String.join("\n", new TreeSet<>(blocks)));
  }
}
