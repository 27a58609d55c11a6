package io.weir.benchmarks.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GaugeTest {
  private static Gauge of(double... samples) {
    Gauge gauge = new Gauge("any", 10);
    for (double each : samples) {
      gauge.add(each);
    }
    return gauge;
  }

  @Test
  void whatGoesUpAndDownDoesNotGrow() {
    assertFalse(of(100, 140, 90, 120, 80, 130, 100, 90, 140).grows());
  }

  @Test
  void whatLeaksGrows() {
    assertTrue(of(100, 110, 120, 130, 140, 150, 160, 170, 180).grows());
  }

  @Test
  void aLittleMoreThanAlmostNothingIsNoGrowth() {
    assertFalse(of(2, 3, 4, 5, 6, 7, 8, 9, 9).grows());
  }

  @Test
  void ofAFewSamplesNobodyCanTell() {
    assertFalse(of(100, 200, 300, 400, 500).grows());
  }

  @Test
  void theSlopeIsThatOfTheLineThatFitsBest() {
    assertEquals(5, of(100, 105, 110, 115).slope(), 1e-9);
    assertEquals(0, of(100).slope());
  }
}
