package io.weir.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import io.weir.test.architecture.SharedHabits;
import java.util.Map;

/** Rules about code that no class, or only one, may contain. */
final class Habits {
  private final String root;

  Habits(String root) {
    this.root = root;
  }

  Map<String, ArchRule> all() {
    return Map.of(
        "one clock", SharedHabits.noClockIsRead(root + ".SystemTicker"),
        "no sleep", noSleep(),
        "pure algorithms", pureAlgorithms(),
        "one logger", oneLogger(),
        "no console", noConsole(),
        "threads come from DaemonThreadFactory",
            SharedHabits.threadsComeFromDaemonThreads(
                root + ".internal.threads.DaemonThreadFactory"));
  }

  private ArchRule noSleep() {
    return noClasses()
        .that(DescribedPredicate.not(named(root + ".internal.writeback.channel.WaitingThread")))
        .should()
        .accessTargetWhere(
            calls("java\\.lang\\.Thread|java\\.util\\.concurrent\\.TimeUnit", "sleep")
                .or(calls("java\\.util\\.concurrent\\.locks\\.LockSupport", "park.*")))
        .as("no thread sleeps but that of a caller that waits for its own answer");
  }

  private ArchRule pureAlgorithms() {
    return noClasses()
        .that(resideInAPackage(root + ".internal.algorithm.."))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.util.concurrent..", "java.io", "java.nio..", "java.net..")
                .or(JavaClass.Predicates.assignableTo(Map.class))
                .or(JavaClass.Predicates.assignableTo(Thread.class))
                .or(named(root + ".Ticker")))
        .as("algorithms know no clock, no map, no lock and no I/O");
  }

  private static ArchRule oneLogger() {
    return noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.util.logging..", "org.slf4j..", "org.apache.logging.."))
        .as("logging through System.Logger");
  }

  private static ArchRule noConsole() {
    return noClasses()
        .should()
        .accessTargetWhere(
            calls("java\\.lang\\.System", "out|err")
                .or(calls("java\\.lang\\.Throwable", "printStackTrace")))
        .as("nothing is printed");
  }

  private static DescribedPredicate<JavaClass> named(String name) {
    return DescribedPredicate.describe("named " + name, type -> type.getName().equals(name));
  }

  private static DescribedPredicate<JavaAccess<?>> calls(String ownerRegex, String nameRegex) {
    return target(owner(nameMatching(ownerRegex)))
        .and(target(nameMatching(nameRegex)))
        .as("%s.%s".formatted(ownerRegex, nameRegex));
  }
}
