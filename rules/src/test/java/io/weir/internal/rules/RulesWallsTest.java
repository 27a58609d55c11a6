package io.weir.internal.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.weir.rules.Rules;
import io.weir.test.architecture.Circles;
import io.weir.test.architecture.SharedHabits;
import java.sql.PreparedStatement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Holds which package of this module may use which, and that no classes form a circle. */
class RulesWallsTest {
  private static final String INSIDE = "io.weir.internal.rules.";

  /**
   * H2 runs these in any program that opens the file, which has nothing of Weir but this module on
   * its class path.
   */
  private static final List<String> TRIGGERS =
      List.of(INSIDE + "database.ChangeTrigger", INSIDE + "database.StampTrigger");

  /** The classes that put parts together. */
  private static final String[] ASSEMBLIES = {
    INSIDE + "assembly.DefaultRules",
    INSIDE + "command.Main",
    INSIDE + "database.connection.DatabaseOpener",
    INSIDE + "callers.CallerProfileCache" // look-ups wait in real time
  };

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.weir.rules", "io.weir.internal.rules");

  /** The other packages that each may use: first rows, then rules, then their users. */
  private static Map<String, List<String>> packages() {
    Map<String, List<String>> packages = new LinkedHashMap<>();
    packages.put("database", List.of());
    packages.put("rulebook", List.of("database"));
    packages.put("foreign", List.of("database"));
    packages.put("edit", List.of("database", "rulebook"));
    packages.put("feed", List.of("database", "rulebook", "edit"));
    packages.put("bans", List.of("database"));
    packages.put("yaml", List.of("database", "rulebook", "edit"));
    packages.put("maintenance", List.of("database"));
    packages.put("usage", List.of("database"));
    packages.put("whatif", List.of("database", "rulebook", "usage"));
    packages.put("quotas", List.of("database", "rulebook", "edit", "usage"));
    packages.put("callers", List.of("database", "rulebook", "quotas"));
    packages.put("anomalies", List.of("database", "usage", "maintenance"));
    packages.put("access", List.of("database"));
    packages.put("outcomes", List.of("database", "usage"));
    packages.put("nodes", List.of("database", "outcomes"));
    packages.put(
        "request", List.of("database", "callers", "rulebook", "usage", "quotas", "anomalies"));
    packages.put(
        "assembly",
        List.of(
            "database",
            "rulebook",
            "callers",
            "edit",
            "feed",
            "foreign",
            "bans",
            "yaml",
            "maintenance",
            "usage",
            "whatif",
            "quotas",
            "anomalies",
            "access",
            "outcomes",
            "nodes",
            "request"));
    packages.put("command", List.of("database", "edit", "foreign", "yaml", "assembly"));
    return packages;
  }

  private static boolean isAllowed(String user, String used) {
    return used.equals(user) || packages().getOrDefault(user, List.of()).contains(used);
  }

  private static String outermost(String packageName) {
    return packageName.substring(INSIDE.length()).split("[.]", -1)[0];
  }

  @Test
  void useNoOthersThanThese() {
    Set<String> wrong = new TreeSet<>();
    ALL.stream()
        .filter(each -> each.getPackageName().startsWith(INSIDE))
        .forEach(
            each ->
                each.getDirectDependenciesFromSelf().stream()
                    .map(used -> used.getTargetClass().getPackageName())
                    .filter(used -> used.startsWith(INSIDE))
                    .map(RulesWallsTest::outermost)
                    .filter(used -> !isAllowed(outermost(each.getPackageName()), used))
                    .forEach(used -> wrong.add(each.getName() + " uses " + used)));
    assertEquals(Set.of(), wrong);
    assertTrue(ALL.size() > 50, () -> "only " + ALL.size() + " classes");
  }

  /** The packages within divided ones, and which others of them each may use. */
  private static final Map<String, List<String>> WITHIN =
      Map.of(
          "database", List.of(),
          "database.schema", List.of("database"),
          "database.change", List.of("database", "database.schema"),
          "database.connection", List.of("database", "database.schema", "database.change"),
          "rulebook.pattern", List.of(),
          "rulebook.column", List.of("rulebook.pattern"),
          "rulebook", List.of("rulebook.pattern", "rulebook.column"),
          "rulebook.compile", List.of("rulebook", "rulebook.pattern", "rulebook.column"));

  @Test
  void useWithinARoomNoOthersThanThesePackages() {
    Set<String> wrong = new TreeSet<>();
    for (JavaClass each : ALL) {
      String from = within(each);
      if (!WITHIN.containsKey(from)) {
        continue;
      }
      each.getDirectDependenciesFromSelf().stream()
          .map(used -> within(used.getTargetClass().getBaseComponentType()))
          .filter(used -> WITHIN.containsKey(used) && !used.equals(from))
          .filter(used -> outermost(INSIDE + used).equals(outermost(INSIDE + from)))
          .filter(used -> !WITHIN.getOrDefault(from, List.of()).contains(used))
          .forEach(used -> wrong.add(each.getName() + " uses " + used));
    }
    assertEquals(Set.of(), wrong);
  }

  private static String within(JavaClass type) {
    String name = type.getPackageName();
    return name.startsWith(INSIDE) ? name.substring(INSIDE.length()) : "";
  }

  @Test
  void makeNoCircles() {
    slices().matching(INSIDE + "(*)..").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void classesFormNoCirclesExceptBuilders() {
    assertEquals(
        List.of("io.weir.rules: Rule, RuleBuilder", "io.weir.rules: Rules, RulesBuilder"),
        Circles.inModuleOf(Rules.class),
        "a type offers its builder, which returns the type");
  }

  private static DescribedPredicate<JavaClass> type(List<String> names) {
    return DescribedPredicate.describe("one of " + names, each -> names.contains(each.getName()));
  }

  @Test
  void triggersNeedNoOtherModule() {
    noClasses()
        .that(type(TRIGGERS))
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.weir..")
                .and(DescribedPredicate.not(resideInAPackage("io.weir.internal.rules..")))
                .and(DescribedPredicate.not(resideInAPackage("io.weir.rules.."))))
        .check(ALL);
  }

  @Test
  void statementsAreBoundInOnePlace() {
    noClasses()
        .that(not(type(List.of(INSIDE + "database.Sql", INSIDE + "database.PinnedPath"))))
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(PreparedStatement.class)
        .check(ALL);
  }

  @Test
  void timeComesFromATicker() {
    SharedHabits.timeComesFromATicker(ASSEMBLIES)
        .check(ALL.that(DescribedPredicate.not(type(TRIGGERS))));
  }

  @Test
  void threadsComeFromDaemonThreads() {
    // A time-out that only completes a future needs no thread of its own.
    SharedHabits.threadsComeFromDaemonThreads(INSIDE + "access.CredentialCache").check(ALL);
  }

  @Test
  void makeNoCirclesInTheApi() {
    slices()
        .matching("io.weir.(**)")
        .should()
        .beFreeOfCycles()
        .ignoreDependency(
            DescribedPredicate.alwaysTrue(), resideInAPackage("io.weir.internal.rules.."))
        .check(ALL);
  }

  @Test
  void areNotSeenFromTheApiButByWhatOpensIt() {
    noClasses()
        .that()
        .resideInAPackage("io.weir.rules..")
        .and()
        .doNotHaveSimpleName("RulesBuilder")
        .and()
        .doNotHaveSimpleName("Rules")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.weir.internal..")
                .and(not(resideInAPackage("io.weir.internal.value")))) // writes durations
        .check(ALL);
  }
}
