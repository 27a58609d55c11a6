package io.weir.internal.load;

import io.weir.spi.LoadSensor;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes a sensor when the load is first read: most nodes have no policy that follows the load, and
 * finding out how to measure a virtual machine takes a noticeable part of a start.
 *
 * <p>Safe for concurrent use: threads that read first at the same time may make one each, of which
 * one is kept.
 */
public final class LazyLoadSensor implements LoadSensor {
  private final Supplier<LoadSensor> maker;
  private volatile Optional<LoadSensor> made = Optional.empty();

  /**
   * Makes no sensor yet.
   *
   * @param maker called once, or once by each thread that reads first
   */
  public LazyLoadSensor(Supplier<LoadSensor> maker) {
    this.maker = maker;
  }

  @Override
  public double load() {
    Optional<LoadSensor> known = made;
    if (known.isEmpty()) {
      known = Optional.of(maker.get());
      made = known;
    }
    return known.get().load();
  }
}
