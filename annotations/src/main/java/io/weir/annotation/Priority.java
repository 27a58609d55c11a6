package io.weir.annotation;

/**
 * Determines how far a policy reduces its limit while its node is busy.
 *
 * <p>All except {@link #NONE} follow a curve: points of load and percent of the limit with straight
 * lines between them, which the settings {@code weir.load.low}, {@code weir.load.normal} and {@code
 * weir.load.critical} replace. Requests refused because of the load get 503, not 429.
 *
 * <p>It belongs to a policy, not to a request: if several policies apply, the strictest decides.
 */
public enum Priority {
  /** Not reduced, except with {@link Mode#ELASTIC}, which has a curve of its own. */
  NONE,
  /** For work that can wait: the whole limit up to 60 % load, nothing from 80 % on. */
  LOW,
  /** For normal work: the whole limit up to 80 % load, half of it at 100 %. */
  NORMAL,
  /** For essential work: the whole limit under any load. */
  CRITICAL
}
