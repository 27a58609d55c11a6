package io.weir.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FigureTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "3, 3",
    "-2, -2",
    "0.012345, 0.0123",
    "0.123456, 0.123",
    "1.23456, 1.235",
    "12.3456, 12.35",
    "123.456, 123.5",
    "-12.3456, -12.35",
    "1234.56, 1235",
    "123456789.1, 123456789",
  })
  void writesNumbersInTheDigitsThatTheyDeserve(double value, String text) {
    assertEquals(text, Figure.number(value));
  }

  @Test
  void isOneLineOfNameValueAndUnit() {
    assertEquals(
        "redis.hot.vs_script 31.20 x",
        new Figure("redis.hot.vs_script", 31.2, "x", 29, 33).toString());
  }

  @Test
  void hasASpreadOnlyIfThereWasMoreThanOneSample() {
    assertEquals("29 – 33.50", new Figure("a.b", 31.2, "x", 29, 33.5).spread());
    assertEquals("", new Figure("a.b", 31, "x", 31, 31).spread());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nosuite", "A.b", "a b.c", "a.", ".a", "a.b-c"})
  void refusesNamesThatATableCouldNotFind(String name) {
    assertThrows(IllegalArgumentException.class, () -> new Figure(name, 1, "x", 1, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "per s", "%", "1"})
  void refusesUnitsThatSplitTheLine(String unit) {
    assertThrows(IllegalArgumentException.class, () -> new Figure("a.b", 1, unit, 1, 1));
  }

  @Test
  void reachesATargetThatItIsEqualTo() {
    assertTrue(new Target(false, 300, false).metBy(new Figure("a.b", 300, "ms", 1, 900)));
    assertTrue(new Target(true, 4, false).metBy(new Figure("a.b", 4, "x", 1, 9)));
    assertFalse(new Target(false, 300, false).metBy(new Figure("a.b", 300.1, "ms", 1, 900)));
    assertFalse(new Target(true, 4, false).metBy(new Figure("a.b", 3.9, "x", 1, 9)));
    assertEquals("≤ 300", new Target(false, 300, false).toString());
    assertEquals("≥ 0.250", new Target(true, 0.25, false).toString());
  }

  @Test
  void aPromiseIsJudgedByItsWorstRound() {
    Target never = Target.ALL.get("rules.usage.dropped");
    assertTrue(never.metBy(new Figure("a.b", 0, "requests", 0, 0)));
    assertFalse(never.metBy(new Figure("a.b", 0, "requests", 0, 1)), "a median hides one of three");
    Target always = Target.ALL.get("cluster.hard.used");
    assertTrue(always.metBy(new Figure("a.b", 99.9, "percent", 99.5, 100)));
    assertFalse(always.metBy(new Figure("a.b", 99.9, "percent", 99.4, 100)));
  }

  /** Nothing that HARD admits is of a window other than the two that it lies in. */
  @Test
  void everyAdmissionOfHardHasToBeOfAWindow() {
    Target target = Target.ALL.get("cluster.hard.of_no_window");
    assertTrue(target.metBy(new Figure("a.b", 0, "admissions", 0, 0)));
    assertFalse(target.metBy(new Figure("a.b", 1, "admissions", 1, 1)));
  }
}
