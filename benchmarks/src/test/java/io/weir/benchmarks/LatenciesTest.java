package io.weir.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class LatenciesTest {
  private static final double CLASS = 0.035;

  private static void assertNear(double expected, double actual) {
    assertEquals(expected, actual, expected * CLASS);
  }

  @Test
  void percentilesAreThoseOfAllThatWereAdded() {
    Latencies latencies = new Latencies();
    for (int micros = 1; micros <= 1_000; micros++) {
      latencies.add(micros * 1_000L);
    }
    assertEquals(1_000, latencies.count());
    assertNear(500, latencies.micros(50));
    assertNear(990, latencies.micros(99));
    assertNear(999, latencies.micros(99.9));
    assertNear(1_000, latencies.micros(100));
  }

  @Test
  void fewNanosecondsAndManyDaysBothHaveAPlace() {
    for (long nanos : new long[] {0, 1, 31, 32, 33, 63, 64, 1_000_003, Long.MAX_VALUE / 3}) {
      Latencies latencies = new Latencies();
      latencies.add(nanos);
      assertNear(nanos / 1e3, latencies.micros(50));
    }
  }

  @Test
  void aNegativeTimeIsNone() {
    Latencies latencies = new Latencies();
    latencies.add(-5);
    assertEquals(0, latencies.micros(100));
  }

  @Test
  void addsUpWhatOthersHaveCounted() {
    Latencies some = new Latencies();
    Latencies more = new Latencies();
    some.add(1_000);
    more.add(3_000_000);
    some.addAll(more);
    assertEquals(2, some.count());
    assertNear(3_000, some.micros(99));
  }

  @Test
  void ofNothingThereIsNoPercentile() {
    assertThrows(IllegalStateException.class, () -> new Latencies().micros(50));
  }
}
