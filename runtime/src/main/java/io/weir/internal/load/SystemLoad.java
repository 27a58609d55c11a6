package io.weir.internal.load;

import io.weir.Ticker;
import io.weir.spi.LoadSensor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;

/**
 * Measures how busy this node is: the largest of the processor's, the heap's and the requests'
 * share.
 *
 * <p>How this works. A single reading fluctuates: a garbage collection or a burst of requests would
 * refuse callers for nothing. So readings are taken a quarter of a second apart and smoothed: each
 * moves the load towards itself by t ÷ (t + 1 s) of the distance, where t is the time since the one
 * before (a fifth after 250 ms, two thirds after two seconds). No thread does that: the first
 * caller after a reading is due takes it, and all others read one field. Without callers none is
 * taken.
 *
 * <p>Shares that this virtual machine can't measure count as 0.
 *
 * <p>Safe for concurrent use.
 */
public final class SystemLoad implements LoadSensor {
  private static final long INTERVAL = Duration.ofMillis(250).toNanos();
  private static final double SMOOTHING = Duration.ofSeconds(1).toNanos();

  private final Ticker ticker;
  private final List<DoubleSupplier> gauges;
  private final AtomicLong sampledAt;
  private volatile double smoothed;

  /**
   * Measures this virtual machine.
   *
   * @param capacity the number of requests in flight that is full load; 0 to ignore them
   * @throws IllegalArgumentException if the capacity is negative
   */
  public SystemLoad(Ticker ticker, InFlightCounter inFlight, int capacity) {
    this(ticker, List.of(new ProcessorGauge(), new HeapGauge(), requests(inFlight, capacity)));
  }

  SystemLoad(Ticker ticker, List<DoubleSupplier> gauges) {
    this.ticker = ticker;
    this.gauges = List.copyOf(gauges);
    this.sampledAt = new AtomicLong(ticker.nanoTime());
    this.smoothed = sample();
  }

  @Override
  public double load() {
    long last = sampledAt.get();
    long now = ticker.nanoTime();
    if (now - last >= INTERVAL && sampledAt.compareAndSet(last, now)) {
      double before = smoothed;
      double weight = (now - last) / (now - last + SMOOTHING);
      smoothed = before + (sample() - before) * weight;
    }
    return smoothed;
  }

  private double sample() {
    return gauges.stream().mapToDouble(gauge -> share(gauge.getAsDouble())).max().orElse(0);
  }

  private static double share(double reading) {
    return reading > 0 ? Math.min(1, reading) : 0;
  }

  private static DoubleSupplier requests(InFlightCounter inFlight, int capacity) {
    if (capacity < 0) {
      throw new IllegalArgumentException("capacity must be 0 or more, not " + capacity);
    }
    return () -> capacity == 0 ? 0 : (double) inFlight.current() / capacity;
  }
}
