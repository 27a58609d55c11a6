package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A rule that catches nothing proves nothing, so each is run against a violation. */
class WallsTest {
  private static final String ROOT = WallsTest.class.getPackageName() + ".breach";
  private static final JavaClasses BREACHES = new ClassFileImporter().importPackages(ROOT);

  @TestFactory
  Stream<DynamicTest> everyWallCatchesWhatBreaksIt() {
    return new Walls(ROOT)
        .all().entrySet().stream()
            .map(
                rule ->
                    DynamicTest.dynamicTest(
                        rule.getKey(), () -> assertCaught(rule.getKey(), rule.getValue())));
  }

  @TestFactory
  Stream<DynamicTest> andOnlyThat() {
    Map<String, ArchRule> rules = new Walls(ROOT).all();
    return Stream.of(
            List.of("one clock", "breach.SystemTicker"),
            List.of("library org.aspectj", "aspectj.AtHome"),
            List.of("library io.micrometer", "metrics.MicrometerMetrics"),
            List.of("imports of jaxrs", "jaxrs.SeesTheAdapter"))
        .map(
            pair ->
                DynamicTest.dynamicTest(
                    pair.get(0),
                    () -> assertFalse(report(rules.get(pair.get(0))).contains(pair.get(1)))));
  }

  private static void assertCaught(String name, ArchRule rule) {
    EvaluationResult result = rule.evaluate(BREACHES);
    assertTrue(result.hasViolation(), () -> name + " caught nothing");
  }

  private static String report(ArchRule rule) {
    return rule.evaluate(BREACHES).getFailureReport().toString();
  }
}
