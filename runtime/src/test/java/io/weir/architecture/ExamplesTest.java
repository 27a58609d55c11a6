package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each example starts by {@code exec:java -pl EXAMPLE -am}. That goal runs in each module that the
 * example needs, also for tests, so none of them may start a program of its own.
 */
class ExamplesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern PROFILES =
      Pattern.compile("<profiles>.*</profiles>", Pattern.DOTALL);
  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]*)</artifactId>");
  private static final Pattern NEEDED =
      Pattern.compile(
          "<(?:parent|dependency)>\\s*<groupId>io\\.weir</groupId>\\s*<artifactId>([^<]*)</");

  /** The poms without their profiles, by the name of the artifact. */
  private static Map<String, String> poms() throws IOException {
    Map<String, String> poms = new HashMap<>();
    try (Stream<Path> files = Files.walk(ROOT, 4)) {
      for (Path each : files.filter(path -> path.endsWith("pom.xml")).toList()) {
        String pom = PROFILES.matcher(Files.readString(each)).replaceAll("");
        Matcher name = ARTIFACT.matcher(pom.replaceAll("(?s)<parent>.*?</parent>", ""));
        if (name.find()) {
          poms.putIfAbsent(name.group(1), pom);
        }
      }
    }
    return poms;
  }

  private static Set<String> needed(String example, Map<String, String> poms) {
    Set<String> needed = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(example));
    while (!open.isEmpty()) {
      Matcher found = NEEDED.matcher(poms.getOrDefault(open.remove(), ""));
      while (found.find()) {
        if (!found.group(1).equals("weir-parent") && needed.add(found.group(1))) {
          open.add(found.group(1));
        }
      }
    }
    return needed;
  }

  @ParameterizedTest
  @ValueSource(strings = {"weir-jersey-example", "weir-servlet-example", "weir-spring-example"})
  void startsNothingElse(String example) throws IOException {
    Map<String, String> poms = poms();
    Set<String> others = new TreeSet<>(needed(example, poms));
    others.removeIf(each -> !poms.getOrDefault(each, "").contains("<exec.skip>"));
    assertEquals(Set.of(), others, "started besides " + example);
    assertTrue(needed(example, poms).contains("weir-runtime"), "finds what an example needs");
  }
}
