package io.weir.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.weir.seeds.Seeds;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SuitesTest {
  /** That each suite runs, one of them each day; what it comes to says nothing here. */
  @TestFactory
  Stream<DynamicTest> tellsExactlyTheFiguresThatItPromises() {
    return Seeds.today(Suites.EVERY, Suites.EVERY.size()).stream()
        .map(suite -> dynamicTest(suite.name(), () -> tellsWhatItPromises(suite)));
  }

  private static void tellsWhatItPromises(BenchmarkSuite suite) throws Exception {
    Report report = new Report(System.out);
    suite.run(Effort.TINY, report);
    List<String> told = report.figures().stream().map(Figure::name).sorted().toList();
    assertEquals(suite.figures().stream().sorted().toList(), told);
  }

  @Test
  void figuresBeginWithTheirSuiteAndStandOnce() {
    Set<String> seen = new TreeSet<>();
    for (BenchmarkSuite suite : Suites.EVERY) {
      for (String figure : suite.figures()) {
        assertTrue(figure.startsWith(suite.name() + "."), figure);
        assertTrue(seen.add(figure), figure);
      }
    }
  }

  @Test
  void everyTargetIsThatOfAFigure() {
    Set<String> unknown = new TreeSet<>(Target.ALL.keySet());
    Suites.EVERY.forEach(suite -> suite.figures().forEach(unknown::remove));
    assertEquals(Set.of(), unknown);
  }

  @Test
  void suitesAreListedByNameAndSentence() {
    assertEquals(
        Suites.EVERY.stream().map(BenchmarkSuite::name).collect(Collectors.toList()),
        Suites.list().lines().map(line -> line.strip().split(" ", 2)[0]).toList());
    Suites.EVERY.forEach(suite -> assertTrue(Suites.list().contains(suite.about())));
  }
}
