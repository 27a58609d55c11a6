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
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/** Rules about code that no class, or only one, may contain. */
final class Habits {
  private final String root;

  Habits(String root) {
    this.root = root;
  }

  Map<String, ArchRule> all() {
    return Map.of(
        "one clock", oneClock(),
        "no clock objects", noClockObjects(),
        "no sleep", noSleep(),
        "pure algorithms", pureAlgorithms(),
        "one logger", oneLogger(),
        "no console", noConsole(),
        "threads inherit nothing", threadsInheritNothing());
  }

  private ArchRule oneClock() {
    return noClasses()
        .that(DescribedPredicate.not(named(root + ".SystemTicker")))
        .should()
        .accessTargetWhere(
            calls("java\\.lang\\.System", "nanoTime|currentTimeMillis")
                .or(calls("java\\.time\\..*", "now"))
                .or(calls("java\\.util\\.(Date|GregorianCalendar)", "<init>"))
                .or(calls("java\\.util\\.Calendar", "getInstance")))
        .as("only SystemTicker reads a clock");
  }

  private ArchRule noClockObjects() {
    return noClasses()
        .should()
        .dependOnClassesThat(JavaClass.Predicates.assignableTo(Clock.class))
        .as("time comes from a Ticker, not from a Clock");
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

  /**
   * A request may start a thread, so no thread may inherit thread-locals: each pool makes threads
   * that don't, and no pool is shared with others.
   */
  private static ArchRule threadsInheritNothing() {
    return noClasses()
        .should()
        .accessTargetWhere(
            calls("java\\.lang\\.Thread", "<init>")
                .and(DescribedPredicate.not(with(boolean.class)))
                .or(
                    calls("java\\.util\\.concurrent\\..*ThreadPoolExecutor", "<init>")
                        .or(calls("java\\.util\\.concurrent\\.Executors", "new.*"))
                        .and(DescribedPredicate.not(with(ThreadFactory.class))))
                .or(calls("java\\.util\\.concurrent\\.Executors", "defaultThreadFactory"))
                .or(calls("java\\.util\\.concurrent\\.ForkJoinPool", "commonPool|<init>"))
                .or(calls("java\\.util\\.(Timer|concurrent\\.ForkJoinTask)", "<init>|fork"))
                .or(
                    calls(
                        "java\\.util\\.concurrent\\.CompletableFuture",
                        "orTimeout|completeOnTimeout|delayedExecutor"))
                .or(
                    calls("java\\.util\\.concurrent\\.Complet.*", ".*Async")
                        .and(DescribedPredicate.not(with(Executor.class)))))
        .as("Weir's threads inherit nothing from the threads that start them");
  }

  private static DescribedPredicate<JavaAccess<?>> with(Class<?> parameter) {
    return DescribedPredicate.describe(
        "with a " + parameter.getSimpleName(),
        access ->
            access instanceof JavaCodeUnitAccess<?> call
                && call.getTarget().getRawParameterTypes().stream()
                    .anyMatch(each -> each.isEquivalentTo(parameter)));
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
