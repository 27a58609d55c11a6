package io.weir.test.architecture;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Rules that all modules share. A module's test checks them on its main classes:
 *
 * <pre>{@code
 * SharedHabits.timeComesFromATicker("com.example.Assembly").check(ALL);
 * }</pre>
 *
 * <p>Classes are named in full; nested ones count as their outermost.
 */
public final class SharedHabits {
  private static final String CONCURRENT = "java\\.util\\.concurrent\\.";

  private SharedHabits() {}

  /**
   * Time comes from an injected {@code io.weir.Ticker}: no class reads a clock of the JVM.
   *
   * @param assemblies the classes that put parts together: they alone take {@code Ticker.system()}
   * @return the rule
   */
  public static ArchRule timeComesFromATicker(String... assemblies) {
    ArchRule injected =
        noClasses()
            .that(DescribedPredicate.not(named(assemblies)))
            .should()
            .accessTargetWhere(calls("io\\.weir\\.Ticker", "system"))
            .allowEmptyShould(true)
            .as("the Ticker is injected: only classes that put parts together take the system's");
    return CompositeArchRule.of(noClockIsRead()).and(injected);
  }

  /**
   * No class reads a clock of the JVM.
   *
   * @param except the classes that may
   * @return the rule
   */
  public static ArchRule noClockIsRead(String... except) {
    return noClasses()
        .that(DescribedPredicate.not(named(except)))
        .should()
        .accessTargetWhere(
            calls("java\\.lang\\.System", "nanoTime|currentTimeMillis")
                .or(calls("java\\.time\\..*", "now"))
                .or(calls("java\\.util\\.Calendar", "getInstance"))
                .or(
                    calls("java\\.util\\.(Date|GregorianCalendar)", "<init>")
                        .and(DescribedPredicate.not(withParameters()))))
        .orShould()
        .dependOnClassesThat(type(Clock.class).or(type(InstantSource.class)))
        .allowEmptyShould(true)
        .as("time comes from a Ticker, not from a clock of the JVM");
  }

  /**
   * Threads come from {@code DaemonThreadFactory} of the runtime: no class makes one itself, nor
   * uses a pool that makes its own or that the whole JVM shares.
   *
   * @param except the classes that may
   * @return the rule
   */
  public static ArchRule threadsComeFromDaemonThreads(String... except) {
    return noClasses()
        .that(DescribedPredicate.not(named(except)))
        .should()
        .accessTargetWhere(
            target(owner(assignableTo(Thread.class)))
                .and(target(nameMatching("<init>|ofVirtual|ofPlatform|startVirtualThread")))
                .or(
                    calls(CONCURRENT + ".*ThreadPoolExecutor", "<init>")
                        .or(calls(CONCURRENT + "Executors", "new.*"))
                        .and(DescribedPredicate.not(with(ThreadFactory.class))))
                .or(calls(CONCURRENT + "Executors", ".*ThreadFactory"))
                .or(calls(CONCURRENT + "ForkJoinPool", "commonPool|<init>"))
                .or(calls(CONCURRENT + "ForkJoinTask", "fork|invokeAll"))
                .or(
                    calls(
                        CONCURRENT + "CompletableFuture",
                        "orTimeout|completeOnTimeout|delayedExecutor"))
                .or(
                    calls(CONCURRENT + "Complet.*", ".*Async")
                        .and(DescribedPredicate.not(with(Executor.class))))
                .or(calls("java\\.util\\.Timer", "<init>"))
                .or(calls("io\\.netty\\.util\\.concurrent\\.DefaultThreadFactory", "<init>")))
        .allowEmptyShould(true)
        .as("threads come from DaemonThreadFactory");
  }

  private static DescribedPredicate<JavaClass> named(String... names) {
    Set<String> all = Set.of(names);
    return DescribedPredicate.describe(
        "named " + all,
        each -> {
          JavaClass outermost = each;
          while (outermost.getEnclosingClass().isPresent()) {
            outermost = outermost.getEnclosingClass().get();
          }
          return all.contains(outermost.getName());
        });
  }

  private static DescribedPredicate<JavaAccess<?>> withParameters() {
    return DescribedPredicate.describe(
        "with parameters",
        access ->
            access instanceof JavaCodeUnitAccess<?> call
                && !call.getTarget().getRawParameterTypes().isEmpty());
  }

  private static DescribedPredicate<JavaAccess<?>> with(Class<?> parameter) {
    return DescribedPredicate.describe(
        "with a " + parameter.getSimpleName(),
        access ->
            access instanceof JavaCodeUnitAccess<?> call
                && call.getTarget().getRawParameterTypes().stream()
                    .anyMatch(each -> each.isEquivalentTo(parameter)));
  }

  private static DescribedPredicate<JavaAccess<?>> calls(String ownerRegex, String nameRegex) {
    return target(owner(nameMatching(ownerRegex)))
        .and(target(nameMatching(nameRegex)))
        .as("%s.%s", ownerRegex, nameRegex);
  }
}
