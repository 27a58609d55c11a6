package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.compat.cluster.node.Sample;
import io.weir.compat.cluster.node.Terms;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BoundsTest {
  private static final long MILLI = 1_000_000;

  @Test
  void countsWhatLiesInOneIntervalOfAnyBeginning() {
    Terms three = new Terms("three", Algorithm.SLIDING_WINDOW, 3, 1_000);
    assertEquals(0, Bounds.excess(at(0, 900, 950, 1_100), three));
    assertEquals(1, Bounds.excess(at(0, 200, 900, 950, 1_100), three));
    assertEquals(0, Bounds.excess(at(0, 0, 0, 1_000, 1_000, 1_000), three));
  }

  @Test
  void countsWindowsByTheTimeOfDay() {
    Terms three = new Terms("three", Algorithm.FIXED_WINDOW, 3, 1_000);
    long edge = nextSecond();
    assertEquals(0, Bounds.excess(at(edge - 20, edge - 20, edge - 20, edge + 20), three));
    assertEquals(1, Bounds.excess(at(edge + 20, edge + 30, edge + 30, edge + 900), three));
  }

  @Test
  void countsABurstAndWhatComesInSince() {
    Terms ten = new Terms("ten", Algorithm.TOKEN_BUCKET, 10, 1_000);
    long[] burst = new long[10];
    assertTrue(Bounds.excess(at(burst), ten) <= 0);
    assertTrue(Bounds.excess(at(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 101, 201), ten) <= 0);
    assertEquals(1, Bounds.excess(at(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 50), ten));
  }

  @Test
  void countsNothingThatMayLieOutside() {
    Terms one = new Terms("one", Algorithm.SLIDING_WINDOW, 1, 1_000);
    Sample slow = new Sample(0, 1_500 * MILLI, 0, 0, true, false);
    Sample quick = new Sample(100 * MILLI, 101 * MILLI, 0, 0, true, false);
    assertEquals(0, Bounds.excess(new Report(List.of(slow, quick), List.of(), 0), one));
    assertEquals(1, Bounds.excess(new Report(List.of(quick, quick), List.of(), 0), one));
  }

  private static long nextSecond() {
    Ticker clock = Ticker.system();
    long toCome = 1_000_000 - clock.epochMicros() % 1_000_000;
    return (clock.nanoTime() + toCome * 1_000) / MILLI;
  }

  private static Report at(long... millis) {
    List<Sample> samples =
        Stream.of(millis)
            .flatMapToLong(java.util.Arrays::stream)
            .mapToObj(each -> new Sample(each * MILLI, each * MILLI, 0, 0, true, false))
            .toList();
    return new Report(samples, List.of(), 0);
  }
}
