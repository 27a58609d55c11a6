package io.weir.compat.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.aether.RepositoryException;
import org.eclipse.aether.graph.Dependency;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that an application gets the versions that the tests of a module run with: our parent's
 * {@code dependencyManagement} doesn't reach it.
 */
class ReleasedTreesTest {
  private static final String SPRING = "org.springframework.boot:spring-boot-dependencies";
  private static final String MICRONAUT = "io.micronaut.platform:micronaut-platform";
  private static final String QUARKUS = "io.quarkus:quarkus-bom";

  /** The modules for platforms, and the platform whose versions an application with them has. */
  private static final Map<String, Platform> PLATFORMS =
      Map.of(
          "weir-micronaut", new Platform(MICRONAUT, "micronaut.version"),
          "weir-quarkus", new Platform(QUARKUS, "quarkus.version"),
          "weir-quarkus-deployment", new Platform(QUARKUS, "quarkus.version"),
          "weir-spring", new Platform(SPRING, "spring-boot-3.version"),
          "weir-spring-boot3-starter", new Platform(SPRING, "spring-boot-3.version"),
          "weir-spring-boot-starter", new Platform(SPRING, "spring-boot-4.version"));

  /** A BOM, and the property of our parent that names its version. */
  private record Platform(String bom, String property) {}

  /** A module without tests of its own, and the one whose tests run it. */
  private static final Map<String, String> TESTED_IN =
      Map.of("weir-spring", "weir-spring-boot3-starter", "weir-quarkus", "weir-quarkus-deployment");

  private static DependencyTrees trees;
  private static String version;

  @BeforeAll
  static void open(@TempDir Path empty) throws IOException {
    version =
        PublishedModules.read(
                PublishedModules.flattened(PublishedModules.ROOT.resolve("release/bom")))
            .text("version");
    trees = new DependencyTrees(version, empty);
  }

  static List<String> modules() throws IOException {
    return PublishedModules.folders().keySet().stream()
        .filter(each -> !each.equals("weir-bom"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void anApplicationGetsWhatIsTested(String module) throws Exception {
    SortedMap<String, String> tested = trees.ofTests(TESTED_IN.getOrDefault(module, module));
    List<String> wrong = new ArrayList<>();
    trees
        .ofUser(module, managed(module))
        .forEach(
            (library, found) -> {
              String expected = library.equals("io.weir:" + module) ? found : tested.get(library);
              if (!found.equals(expected)) {
                wrong.add(library + ": " + found + ", tested with " + expected);
              }
            });
    assertEquals("", String.join("\n", wrong));
  }

  private static List<Dependency> managed(String module) throws IOException, RepositoryException {
    Platform platform = PLATFORMS.get(module);
    if (platform == null) {
      return List.of();
    }
    String own =
        PublishedModules.read(PublishedModules.ROOT.resolve("pom.xml"))
            .text("properties/" + platform.property());
    return trees.managedBy(platform.bom() + ":pom:" + own);
  }

  /** What is resolved here is what Surefire has: seen on the class path of this module. */
  @Test
  void resolvesTheClassPathOfTests() throws Exception {
    SortedMap<String, String> jars = new TreeMap<>();
    trees
        .ofTests("weir-compat-release")
        .forEach((library, found) -> jars.put(library.replaceAll(".*:", ""), found));
    jars.keySet().removeIf(each -> each.equals("weir-bundle"));
    List<String> classPath =
        Stream.of(
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"))
                    .split(Pattern.quote(System.getProperty("path.separator"))))
            .filter(each -> each.endsWith(".jar"))
            .map(each -> Path.of(each).getFileName().toString())
            .sorted()
            .toList();
    assertTrue(classPath.size() > 10, classPath::toString);
    assertEquals(
        classPath,
        jars.entrySet().stream()
            .map(each -> each.getKey() + "-" + each.getValue() + ".jar")
            .sorted()
            .toList());
  }
}
