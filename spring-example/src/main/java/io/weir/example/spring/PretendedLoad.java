package io.weir.example.spring;

import io.weir.spi.LoadSensor;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.OptionalInt;
import org.springframework.stereotype.Component;

/**
 * Reports the load of this machine, or a simulated one. An application that doesn't simulate load
 * needs no sensor: Weir measures by itself.
 *
 * <p>Safe for concurrent use.
 */
@Component
class PretendedLoad implements LoadSensor {
  private static final OperatingSystemMXBean MACHINE = ManagementFactory.getOperatingSystemMXBean();

  private volatile OptionalInt percent = OptionalInt.empty();

  /** Simulates a load in percent; empty returns to the real load. */
  void simulate(OptionalInt simulated) {
    percent = simulated;
  }

  @Override
  public double load() {
    OptionalInt simulated = percent;
    if (simulated.isPresent()) {
      return simulated.getAsInt() / 100.0;
    }
    double load = MACHINE.getSystemLoadAverage() / MACHINE.getAvailableProcessors();
    return Math.max(0, Math.min(1, load));
  }
}
