package io.weir.internal.control;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.weir.control.ControlFeature;
import io.weir.test.architecture.Circles;
import io.weir.test.architecture.SharedHabits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The walls between the packages of this module. Each package has a line in both tables. */
class ControlWallsTest {
  private static final String API = "io.weir.control";
  private static final String ROOT = "io.weir.internal.control";

  /** Everything that resources share. */
  private static final List<String> SHARED =
      List.of("json", "resource", "http", "paging", "access");

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(API, ROOT);

  /** The other packages of this module that each package may import. */
  private static Map<String, List<String>> imports() {
    Map<String, List<String>> table = new LinkedHashMap<>();
    table.put("settings", List.of());
    table.put("json", List.of());
    table.put("resource", List.of());
    table.put("http", List.of("json"));
    table.put("paging", List.of("json", "resource", "http"));
    table.put("access", List.of("settings", "json", "resource", "http"));
    table.put("openapi", List.of("json", "resource", "http"));
    table.put("decide.path", List.of("json"));
    table.put("decide.request", List.of("json", "resource", "decide.path"));
    table.put("decide", List.of("json", "resource", "decide.request"));
    table.put("rest", with(SHARED, "settings", "decide", "decide.request", "decide.path"));
    table.put("admin.outcomes", SHARED);
    table.put("events", with(SHARED, "settings", "admin.outcomes"));
    table.put("session", with(SHARED, "settings"));
    table.put("console", List.of("settings", "resource", "http"));
    table.put("dashboard", with(SHARED, "settings", "decide", "admin.upgrades"));
    table.put("admin.access", SHARED);
    table.put("admin.rules", SHARED);
    table.put("admin.policies", SHARED);
    table.put("admin.changes", SHARED);
    table.put("admin.users", with(SHARED, "admin.records"));
    table.put("admin.upgrades", SHARED);
    table.put("admin.callers", with(SHARED, "decide"));
    table.put("admin.records", SHARED);
    table.put("admin.regions", SHARED);
    // Puts all of them together.
    table.put("", List.copyOf(table.keySet()));
    return table;
  }

  /** The libraries that a package may import, besides Java and JSpecify. */
  private static Map<String, List<String>> libraries() {
    Map<String, List<String>> table = new LinkedHashMap<>();
    for (String each : imports().keySet()) {
      table.put(each, List.of("jakarta.ws.rs.."));
    }
    for (String each : List.of("settings", "resource", "decide.path", "decide.request", "decide")) {
      table.put(each, List.of());
    }
    table.put("json", List.of("com.fasterxml.jackson.."));
    table.put("events", List.of("jakarta.ws.rs..", "com.fasterxml.jackson.databind.."));
    table.put("http", List.of("jakarta.ws.rs..", "org.glassfish.jersey.spi.."));
    return table;
  }

  private static List<String> with(List<String> all, String... more) {
    return Stream.concat(all.stream(), Stream.of(more)).toList();
  }

  @TestFactory
  Stream<DynamicTest> eachPackageImportsOnlyTheOnesOfItsLine() {
    return imports().entrySet().stream()
        .map(
            line ->
                DynamicTest.dynamicTest(
                    "imports of " + line.getKey(),
                    () -> checkImports(line.getKey(), line.getValue())));
  }

  private static void checkImports(String from, List<String> to) {
    DescribedPredicate<JavaClass> allowed = in(from);
    for (String each : to) {
      allowed = allowed.or(in(each));
    }
    noClasses()
        .that(in(from))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(API, ROOT + "..").and(DescribedPredicate.not(allowed)))
        .check(ALL);
  }

  @TestFactory
  Stream<DynamicTest> eachPackageUsesOnlyTheLibrariesOfItsLine() {
    return libraries().entrySet().stream()
        .map(
            line ->
                DynamicTest.dynamicTest(
                    "libraries of " + line.getKey(),
                    () -> checkLibraries(line.getKey(), line.getValue())));
  }

  private static void checkLibraries(String from, List<String> libraries) {
    List<String> allowed = new ArrayList<>(libraries);
    allowed.addAll(List.of("java..", "javax.crypto..", "org.jspecify..", "io.weir.."));
    noClasses()
        .that(in(from))
        .should()
        .dependOnClassesThat(
            DescribedPredicate.not(
                resideInAnyPackage(allowed.toArray(String[]::new))
                    .or(
                        DescribedPredicate.describe(
                            "of the language", each -> each.isPrimitive() || each.isArray()))))
        .check(ALL);
  }

  @Test
  void everyPackageHasALine() {
    assertEquals(
        new TreeSet<>(imports().keySet()),
        ALL.stream()
            .map(JavaClass::getPackageName)
            .filter(each -> each.startsWith(ROOT))
            .map(each -> each.equals(ROOT) ? "" : each.substring(ROOT.length() + 1))
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void onlyTheServletNeedsServlets() {
    noClasses()
        .that()
        .haveNameNotMatching(API.replace(".", "\\.") + "\\.ControlServlet(\\$.*)?")
        .should()
        .dependOnClassesThat(
            resideInAPackage("jakarta.servlet..")
                .or(resideInAPackage("org.glassfish.jersey.servlet..")))
        .check(ALL);
  }

  @Test
  void noPackagesDependOnEachOtherInACircle() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void noClassesOfAPackageDependOnEachOtherInACircle() {
    assertEquals(List.of(), Circles.inModuleOf(ControlFeature.class));
  }

  @Test
  void timeComesFromATicker() {
    SharedHabits.timeComesFromATicker(ROOT + ".ControlAssembly").check(ALL);
  }

  @Test
  void threadsComeFromDaemonThreads() {
    SharedHabits.threadsComeFromDaemonThreads().check(ALL);
  }

  private static DescribedPredicate<JavaClass> in(String name) {
    return name.isEmpty() ? resideInAPackage(ROOT) : resideInAPackage(ROOT + "." + name);
  }
}
