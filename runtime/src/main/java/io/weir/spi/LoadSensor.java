package io.weir.spi;

/**
 * Measures the load of this node.
 *
 * <p>Called for each request under a policy that is ELASTIC or has a priority, so it must return at
 * once. If it throws, the load counts as 0, and the first failure is logged. Readings aren't
 * smoothed.
 *
 * <p>Safe for concurrent use. Given to the builder or found by {@link java.util.ServiceLoader}; it
 * replaces Weir's own sensor.
 */
@FunctionalInterface
public interface LoadSensor {
  /**
   * Returns the current load.
   *
   * @return 0 (idle) to 1 (fully loaded); values outside are clamped, and NaN counts as 0
   */
  double load();
}
