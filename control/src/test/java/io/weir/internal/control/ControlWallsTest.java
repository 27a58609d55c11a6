package io.weir.internal.control;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which room of this module may use which; those that have resources may use all others. */
class ControlWallsTest {
  private static final String INSIDE = "io.weir.internal.control.";

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.weir.control", "io.weir.internal.control");

  /** What everything else stands on. */
  private static final Map<String, List<String>> GROUND =
      Map.of(
          "json", List.of(),
          "resource", List.of(),
          "http", List.of("json", "resource"),
          "access", List.of("json", "resource", "http"),
          "openapi", List.of("resource"),
          "decide", List.of("json", "resource"));

  private static boolean isAllowed(String room, String used) {
    return used.equals(room) || !GROUND.containsKey(room) || GROUND.get(room).contains(used);
  }

  private static String room(String packageName) {
    return packageName.substring(INSIDE.length()).split("[.]", -1)[0];
  }

  @Test
  void theGroundUsesNoOthersThanTheseRooms() {
    Set<String> wrong = new TreeSet<>();
    ALL.stream()
        .filter(each -> each.getPackageName().startsWith(INSIDE))
        .forEach(
            each ->
                each.getDirectDependenciesFromSelf().stream()
                    .map(used -> used.getTargetClass().getPackageName())
                    .filter(used -> used.startsWith(INSIDE))
                    .map(ControlWallsTest::room)
                    .filter(used -> !isAllowed(room(each.getPackageName()), used))
                    .forEach(used -> wrong.add(each.getName() + " uses " + used)));
    assertEquals(Set.of(), wrong);
    assertTrue(ALL.size() > 40, () -> "only " + ALL.size() + " classes");
  }

  @Test
  void makeNoCircles() {
    slices().matching(INSIDE + "(*)..").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void decisionsKnowNothingOfHttp() {
    noClasses()
        .that()
        .resideInAPackage(INSIDE + "decide..")
        .should()
        .dependOnClassesThat(resideInAPackage("jakarta..").or(resideInAPackage("org.glassfish..")))
        .check(ALL);
  }

  @Test
  void servletsAreNeededByTheServletAlone() {
    noClasses()
        .that()
        .resideInAPackage("io.weir.internal.control..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("jakarta.servlet..")
                .or(resideInAPackage("org.glassfish.jersey.servlet..")))
        .check(ALL);
  }
}
