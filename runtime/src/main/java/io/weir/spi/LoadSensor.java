package io.weir.spi;

/**
 * Tells how busy this node is.
 *
 * <p>Safe for concurrent use; asked for each request under an ELASTIC policy, so it must answer at
 * once. Given to the builder, or found by {@link java.util.ServiceLoader}; it then replaces the one
 * that comes with Weir, and its readings are used as they are.
 */
@FunctionalInterface
public interface LoadSensor {
  /**
   * The load right now.
   *
   * @return 0 (idle) to 1 (nothing left); values outside are brought into the range, and what is no
   *     number counts as 0
   */
  double load();
}
