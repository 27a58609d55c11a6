package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

class ArchitectureTest {
  private static final String ROOT = "io.weir";
  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(
              location -> !location.contains("/weir-test-") && !location.contains("/tests/"))
          .importPackages(ROOT);

  @TestFactory
  Stream<DynamicTest> theWallsStand() {
    return new Walls(ROOT)
        .all().entrySet().stream()
            .map(
                rule -> DynamicTest.dynamicTest(rule.getKey(), () -> rule.getValue().check(HOUSE)));
  }

  @Test
  void rulesWereGivenTheWholeHouse() {
    assertTrue(HOUSE.size() > 50, "only " + HOUSE.size() + " classes");
    assertTrue(HOUSE.stream().noneMatch(type -> type.getPackageName().startsWith(here())));
  }

  @Test
  void everyPackageHasALineInTheTableOfImports() {
    Set<String> packages =
        HOUSE.stream()
            .map(type -> type.getPackageName().replaceFirst("^io\\.weir\\.?", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(new TreeSet<>(Walls.imports().keySet()), packages);
  }

  @Test
  void tellsHowMuchIsPublic(TestReporter reporter) {
    long all = HOUSE.stream().filter(ArchitectureTest::isOuter).count();
    long open =
        HOUSE.stream()
            .filter(ArchitectureTest::isOuter)
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .count();
    assertTrue(open > 0 && open < all, open + " of " + all);
    reporter.publishEntry("public types", open + " of " + all);
  }

  private static boolean isOuter(JavaClass type) {
    return type.isTopLevelClass() && !type.getSimpleName().equals("package-info");
  }

  private static String here() {
    return ArchitectureTest.class.getPackageName();
  }
}
