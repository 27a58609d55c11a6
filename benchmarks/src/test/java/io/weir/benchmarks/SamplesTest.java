package io.weir.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SamplesTest {
  @Test
  void tellsTheMiddleAndTheEnds() {
    Figure figure = Samples.of(3, 1, 2.5).figure("a.b", "ns");
    assertEquals(new Figure("a.b", 2.5, "ns", 1, 3), figure);
    assertEquals("a.b 2.500 ns", figure.toString());
    assertEquals(1.5, Samples.of(2, 1).median());
  }

  @Test
  void pairsWhatRanInTheSameRound() {
    Samples ratio = Samples.of(10, 40).over(Samples.of(5, 10));
    assertEquals(2, ratio.low());
    assertEquals(4, ratio.high());
  }

  @Test
  void refusesNothingAndNamesThatNobodyCouldRead() {
    assertThrows(IllegalArgumentException.class, Samples::of);
    assertThrows(IllegalArgumentException.class, () -> new Figure("a b", 1, "x", 1, 1));
  }
}
