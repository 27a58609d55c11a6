package io.weir.internal.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemLoadTest {
  private long nanos = Long.MAX_VALUE - 1_000;
  private double reading;
  private int readings;

  private final Ticker ticker =
      new Ticker() {
        @Override
        public long nanoTime() {
          return nanos;
        }

        @Override
        public long epochMicros() {
          return 0;
        }
      };

  private SystemLoad load(DoubleSupplier... gauges) {
    return new SystemLoad(ticker, List.of(gauges));
  }

  private double read() {
    readings++;
    return reading;
  }

  private void advanceMillis(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void isTheLargestReading() {
    assertEquals(0.7, load(() -> 0.2, () -> 0.7, () -> 0.1).load());
    assertEquals(0, load().load());
  }

  @ParameterizedTest
  @CsvSource({"NaN, 0", "-1, 0", "1.5, 1", "Infinity, 1", "-Infinity, 0"})
  void bringsEachReadingIntoItsRange(double wild, double share) {
    assertEquals(share, load(() -> wild).load());
  }

  @Test
  void readsAgainAfterAQuarterOfASecondAndNoSooner() {
    SystemLoad load = load(this::read);
    reading = 1;
    advanceMillis(249);
    assertEquals(0, load.load());
    assertEquals(1, readings);
    advanceMillis(1);
    assertEquals(0.2, load.load(), 1e-9);
    assertEquals(0.2, load.load(), 1e-9);
    assertEquals(2, readings);
  }

  @Test
  void approachesWhatItReadsTheMoreTheLongerAgoItLooked() {
    SystemLoad load = load(this::read);
    reading = 1;
    advanceMillis(1_000);
    assertEquals(0.5, load.load(), 1e-9);
    reading = 0;
    advanceMillis(3_000);
    assertEquals(0.125, load.load(), 1e-9);
  }

  @Test
  void measuresTheRequestsInFlight() {
    InFlightCounter inFlight = new InFlightCounter();
    for (int i = 0; i < 3; i++) {
      inFlight.begin();
    }
    inFlight.end();
    assertEquals(2, inFlight.current());

    // The heap and the processor of this machine may be busier than the requests.
    assertTrue(new SystemLoad(ticker, inFlight, 2).load() == 1);
    double withoutRequests = new SystemLoad(ticker, inFlight, 0).load();
    assertTrue(withoutRequests >= 0 && withoutRequests <= 1, "was " + withoutRequests);
  }

  @Test
  void moreEndsThanBeginningsCountAsNone() {
    InFlightCounter inFlight = new InFlightCounter();
    inFlight.end();
    assertEquals(0, inFlight.current());
  }

  @Test
  void refusesANegativeCapacity() {
    InFlightCounter inFlight = new InFlightCounter();
    assertThrows(IllegalArgumentException.class, () -> new SystemLoad(ticker, inFlight, -1));
  }

  @Test
  void worksWhereThereAreNoPoolsToRead() {
    assertEquals(0, new HeapGauge(List.of()).getAsDouble());
  }

  @Test
  void readsTheHeapOfThisMachineAfterACollection() {
    System.gc();
    double share = new HeapGauge().getAsDouble();
    assertTrue(share > 0 && share < 1, "was " + share);
  }
}
