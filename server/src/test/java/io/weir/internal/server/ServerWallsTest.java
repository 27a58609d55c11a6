package io.weir.internal.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.weir.internal.server.command.Main;
import io.weir.test.architecture.Circles;
import io.weir.test.architecture.SharedHabits;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Checks what each package of the server imports of the others, that classes of a package don't
 * depend on each other in circles, and that time and threads come from one source.
 */
class ServerWallsTest {
  private static final String ROOT = "io.weir.internal.server";

  /** The package of {@link WeirServer}, which puts the parts together. */
  private static final String ASSEMBLY = "";

  private static final JavaClasses SERVER =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  /** The packages that each package may import. A new package needs a line. */
  private static Map<String, List<String>> imports() {
    Map<String, List<String>> table = new TreeMap<>();
    table.put("listener", List.of());
    table.put("settings", List.of("listener"));
    table.put("metrics", List.of());
    table.put("tls", List.of("settings"));
    table.put("access", List.of("settings"));
    table.put("http", List.of("access", "listener", "metrics", "tls"));
    table.put("envoy.proto", List.of());
    table.put("envoy.config", List.of("envoy.proto"));
    table.put("envoy", List.of("envoy.config", "envoy.proto", "grpc.call", "metrics"));
    table.put("grpc.call", List.of("access"));
    table.put("grpc.check", List.of("grpc.call", "metrics"));
    table.put(
        "grpc",
        List.of(
            "access",
            "envoy",
            "envoy.config",
            "grpc.call",
            "grpc.check",
            "listener",
            "metrics",
            "tls"));
    table.put("resp.codec", List.of());
    table.put("resp.command", List.of("access", "metrics", "resp.codec"));
    table.put("resp", List.of("access", "listener", "metrics", "resp.codec", "resp.command"));
    table.put(
        ASSEMBLY,
        List.of(
            "access",
            "envoy",
            "envoy.config",
            "grpc",
            "http",
            "listener",
            "metrics",
            "resp",
            "settings",
            "tls"));
    table.put("command", List.of(ASSEMBLY, "access", "listener", "settings"));
    return table;
  }

  /** The command line and the defaults of builders, which put parts together. */
  private static final String[] ASSEMBLIES = {
    ROOT + ".command.ServerCommand",
    ROOT + ".WeirServer",
    ROOT + ".grpc.GrpcServerBuilder",
    ROOT + ".resp.RespServer"
  };

  /** Circles that stay, each with its reason. */
  private static final List<String> CIRCLES =
      List.of(
          // A type and its builder.
          ROOT + ".grpc: GrpcServer, GrpcServerBuilder");

  @TestFactory
  Stream<DynamicTest> importsNoMoreThanItsLineAllows() {
    return imports().entrySet().stream()
        .map(
            line ->
                DynamicTest.dynamicTest(
                    line.getKey().isEmpty() ? "assembly" : line.getKey(),
                    () -> check(line.getKey(), line.getValue())));
  }

  private static void check(String from, List<String> to) {
    DescribedPredicate<JavaClass> allowed = in(from);
    for (String each : to) {
      allowed = allowed.or(in(each));
    }
    noClasses()
        .that(in(from))
        .should()
        .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(allowed)))
        .check(SERVER);
  }

  private static DescribedPredicate<JavaClass> in(String name) {
    return resideInAPackage(name.isEmpty() ? ROOT : ROOT + "." + name);
  }

  @Test
  void everyPackageHasALine() {
    assertEquals(
        imports().keySet(),
        SERVER.stream()
            .map(type -> type.getPackageName().replaceFirst("^" + ROOT + "\\.?", ""))
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void linesMakeNoCircleOfPackages() {
    Map<String, List<String>> open = new TreeMap<>(imports());
    while (open.values().removeIf(to -> to.stream().noneMatch(open::containsKey))) {
      // the packages that import only packages without a circle go, until none is left
    }
    assertEquals(Map.of(), open);
  }

  @Test
  void classesMakeNoCircleButThoseThatAreNamed() {
    assertEquals(
        CIRCLES,
        Circles.inModuleOf(Main.class).stream()
            .filter(each -> !each.startsWith(ROOT + ".envoy.proto:")) // generated
            .filter(each -> each.startsWith(ROOT))
            .toList());
  }

  @Test
  void timeComesFromATicker() {
    SharedHabits.timeComesFromATicker(ASSEMBLIES).check(SERVER);
  }

  @Test
  void threadsComeFromDaemonThreads() {
    // Netty's event loops are fastest on threads of its own kind.
    SharedHabits.threadsComeFromDaemonThreads(ROOT + ".resp.RespServer", ROOT + ".grpc.GrpcServer")
        .check(SERVER);
  }
}
