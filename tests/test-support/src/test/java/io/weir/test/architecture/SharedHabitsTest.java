package io.weir.test.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SharedHabitsTest {
  private static final String HERE = SharedHabitsTest.class.getPackageName() + ".habit";
  private static final JavaClasses ALL = new ClassFileImporter().importPackages(HERE);

  /** The method in which a rule is broken. */
  private static final Pattern METHOD =
      Pattern.compile("Method <" + Pattern.quote(HERE) + "\\.(\\w+\\.\\w+)");

  private static Set<String> violations(ArchRule rule) {
    Set<String> methods = new TreeSet<>();
    for (String each : rule.evaluate(ALL).getFailureReport().getDetails()) {
      Matcher method = METHOD.matcher(each);
      if (method.find()) {
        methods.add(method.group(1));
      }
    }
    return methods;
  }

  @Test
  void noClockOfTheJvmIsRead() {
    assertEquals(
        Set.of(
            "ReadsClocks.nanos",
            "ReadsClocks.millis",
            "ReadsClocks.reference",
            "ReadsClocks.today",
            "ReadsClocks.date",
            "ReadsClocks.given"),
        violations(SharedHabits.timeComesFromATicker()));
  }

  @Test
  void noThreadIsMadeOtherwise() {
    assertEquals(
        Set.of(
            "MakesThreads.thread",
            "MakesThreads.subclass",
            "MakesThreads.pool",
            "MakesThreads.timer",
            "MakesThreads.shared",
            "MakesThreads.timeout"),
        violations(SharedHabits.threadsComeFromDaemonThreads()));
  }

  @Test
  void aNamedClassMayMakeThreads() {
    assertFalse(
        SharedHabits.threadsComeFromDaemonThreads(HERE + ".MakesThreads")
            .evaluate(ALL)
            .hasViolation());
  }
}
