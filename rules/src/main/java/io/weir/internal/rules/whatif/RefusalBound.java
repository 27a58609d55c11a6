package io.weir.internal.rules.whatif;

/**
 * Bounds how many requests of one caller a limit refuses in each hour, by what is recorded of the
 * hours. The arithmetic and its proofs are in docs/design/what-if.md.
 *
 * <p>Stateless, so safe for concurrent use.
 */
@FunctionalInterface
interface RefusalBound {
  /**
   * Calculates the refusals.
   *
   * @param caller the hours of one caller, or its days
   * @return for each of them an upper bound, so that the sum up to each is one
   */
  long[] refused(CallerHours caller);
}
