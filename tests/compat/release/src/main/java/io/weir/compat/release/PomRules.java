package io.weir.compat.release;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** Checks that a POM stands alone, and has what Maven Central asks for. */
final class PomRules {
  private static final List<String> REQUIRED =
      List.of(
          "modelVersion",
          "name",
          "description",
          "url",
          "licenses/license/name",
          "licenses/license/url",
          "developers/developer/name",
          "scm/connection",
          "scm/developerConnection",
          "scm/url");

  private static final List<String> DEPENDENCIES =
      List.of("dependencies/dependency", "dependencyManagement/dependencies/dependency");

  private PomRules() {}

  static void check(BundleFile file, byte[] content, Consumer<String> report) {
    Pom pom = Pom.parse(content);
    for (String element : REQUIRED) {
      if (pom.text(element).isEmpty()) {
        report.accept(file.path() + ": no " + element);
      }
    }
    checkCoordinates(file, pom, report);
    checkStandsAlone(file.path(), content, pom, report);
    checkDependencies(file.path(), pom, report);
  }

  private static void checkCoordinates(BundleFile file, Pom pom, Consumer<String> report) {
    String inside = pom.text("groupId") + ":" + pom.text("artifactId") + ":" + pom.text("version");
    String outside = file.group() + ":" + file.artifact() + ":" + file.version();
    if (!inside.equals(outside)) {
      report.accept(file.path() + ": the POM is that of " + inside);
    }
  }

  private static void checkStandsAlone(
      String path, byte[] content, Pom pom, Consumer<String> report) {
    if (!pom.texts("parent").isEmpty()) {
      report.accept(path + ": a parent, which isn't published");
    }
    if (new String(content, StandardCharsets.UTF_8).contains("${")) {
      report.accept(path + ": an unresolved ${…}");
    }
  }

  private static void checkDependencies(String path, Pom pom, Consumer<String> report) {
    for (String list : DEPENDENCIES) {
      int all = pom.texts(list).size();
      List<String> versions = pom.texts(list + "/version");
      if (versions.size() < all) {
        report.accept(path + ": " + (all - versions.size()) + " of " + list + " without a version");
      }
      versions.stream()
          .filter(version -> version.endsWith("-SNAPSHOT"))
          .forEach(version -> report.accept(path + ": depends on a snapshot, " + version));
      if (pom.texts(list + "/scope").contains("system")) {
        report.accept(path + ": a dependency of scope system");
      }
    }
  }
}
