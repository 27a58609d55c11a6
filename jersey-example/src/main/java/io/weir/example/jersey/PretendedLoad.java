package io.weir.example.jersey;

import io.weir.spi.LoadSensor;
import java.util.Optional;

/**
 * The load of this node as it is, or as somebody wants it to be. An application that has no need to
 * pretend gives no sensor at all: Weir then measures by itself.
 *
 * <p>Safe for concurrent use.
 */
final class PretendedLoad implements LoadSensor {
  private volatile LoadSensor real = () -> 0;
  private volatile Optional<Integer> percent = Optional.empty();

  /** Stands around the sensor that measures. */
  LoadSensor around(LoadSensor measures) {
    real = measures;
    return this;
  }

  /** Pretends from now on; without a number the node is as busy as it really is. */
  void pretend(Optional<Integer> wanted) {
    percent = wanted;
  }

  @Override
  public double load() {
    return percent.map(pretended -> pretended / 100.0).orElseGet(real::load);
  }
}
