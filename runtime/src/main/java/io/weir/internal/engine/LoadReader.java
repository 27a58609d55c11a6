package io.weir.internal.engine;

import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Mode;
import io.weir.internal.extension.PartFailures;
import io.weir.spi.LoadSensor;
import java.util.List;

/**
 * Reads the load once for a request, where it matters, and brings it into its range.
 *
 * <p>Safe for concurrent use.
 */
final class LoadReader {
  private final LoadSensor sensor;
  private final PartFailures failures =
      new PartFailures(System.getLogger("io.weir"), "The load can't be read and counts as 0");

  LoadReader(LoadSensor sensor) {
    this.sensor = sensor;
  }

  /** The load in parts per million; 0 where no policy asks. */
  int of(List<PermitRequest> asks) {
    for (PermitRequest ask : asks) {
      if (ask.policy().mode() == Mode.ELASTIC) {
        return inRange(read());
      }
    }
    return 0;
  }

  /** The load in parts per million, if the policy asks. */
  int of(Policy policy) {
    return policy.mode() == Mode.ELASTIC ? inRange(read()) : 0;
  }

  private double read() {
    try {
      return sensor.load();
    } catch (Throwable broken) {
      failures.report(broken);
      return 0;
    }
  }

  static int inRange(double load) {
    // What is no number is not above 0 either.
    return load > 0 ? (int) Math.round(Math.min(1, load) * EffectiveLimit.MILLION) : 0;
  }
}
