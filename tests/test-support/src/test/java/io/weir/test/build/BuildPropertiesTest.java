package io.weir.test.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks the properties that a build is given: Surefire hands them to the tests, where any below
 * {@code weir.} but {@code weir.test.} would be a setting of the application, and an unknown one.
 */
class BuildPropertiesTest {
  private static final Path ROOT = Path.of("../..");

  /** Scripts and pages that show how to build. */
  private static final List<String> CALLS =
      List.of(
          ".ci/run",
          ".mvn/maven.config",
          "CONTRIBUTING.md",
          "docs/design/tests.md",
          "pom.xml",
          "release/bundle/README.md",
          "t");

  private static final Pattern GIVEN = Pattern.compile("-D(weir\\.[\\w.-]+)");

  /** Scripts in the POM, and what turns a profile on. */
  private static final Pattern READ =
      Pattern.compile("asked\\.getProperty\\(\"(weir\\.[^\"]+)|<property>\\s*<name>(weir\\.[^<]+)");

  private static Stream<String> names(Pattern pattern, String file) {
    try {
      return pattern
          .matcher(Files.readString(ROOT.resolve(file)))
          .results()
          .map(BuildPropertiesTest::name)
          .toList()
          .stream();
    } catch (IOException unreadable) {
      throw new AssertionError(file, unreadable);
    }
  }

  private static String name(MatchResult found) {
    return found.group(1) == null ? found.group(2) : found.group(1);
  }

  @Test
  void lookLikeNoSettings() {
    List<String> all =
        Stream.concat(CALLS.stream().flatMap(each -> names(GIVEN, each)), names(READ, "pom.xml"))
            .toList();
    assertFalse(all.isEmpty());
    assertEquals(
        List.of(), all.stream().filter(each -> !each.startsWith("weir.test.")).distinct().toList());
  }
}
