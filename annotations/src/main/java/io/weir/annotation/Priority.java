package io.weir.annotation;

/**
 * How much of its limit a policy gives up while its node is busy.
 *
 * <p>Each but {@link #NONE} follows a curve: points of load and percent of the limit with straight
 * lines between them, which {@code weir.load.low}, {@code weir.load.normal} and {@code
 * weir.load.critical} replace. Who is refused because of the load gets 503, not 429.
 *
 * <p>It belongs to a policy, not to a request: where several policies hold, the strictest decides.
 */
public enum Priority {
  /** The load changes nothing, except for {@link Mode#ELASTIC}, which has a curve of its own. */
  NONE,
  /** What can wait: the whole limit up to 60 % load, nothing from 80 % on. */
  LOW,
  /** What should go on: the whole limit up to 80 % load, half of it at 100 %. */
  NORMAL,
  /** What must go on: the whole limit under any load. */
  CRITICAL
}
