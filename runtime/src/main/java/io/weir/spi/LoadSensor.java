package io.weir.spi;

/**
 * Tells how busy this node is.
 *
 * <p>Called for each request under a policy that is ELASTIC or has a priority, so it must answer at
 * once. If it throws, the load counts as 0, and the first failure is logged. Its readings are used
 * as they are, without smoothing.
 *
 * <p>Safe for concurrent use. Given to the builder or found by {@link java.util.ServiceLoader}, in
 * place of the one that comes with Weir.
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
