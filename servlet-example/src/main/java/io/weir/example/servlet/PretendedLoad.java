package io.weir.example.servlet;

import io.weir.spi.LoadSensor;
import java.util.Optional;

/**
 * Reports the real load of this node, or a simulated one. An application that doesn't simulate load
 * needs no sensor: Weir measures by itself.
 *
 * <p>Safe for concurrent use.
 */
final class PretendedLoad implements LoadSensor {
  private volatile LoadSensor real = () -> 0;
  private volatile Optional<Integer> percent = Optional.empty();

  /** Wraps the sensor that measures the real load. */
  LoadSensor around(LoadSensor sensor) {
    real = sensor;
    return this;
  }

  /** Simulates a load in percent; empty returns to the real load. */
  void simulate(Optional<Integer> simulated) {
    percent = simulated;
  }

  @Override
  public double load() {
    return percent.map(simulated -> simulated / 100.0).orElseGet(real::load);
  }
}
