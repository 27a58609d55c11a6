package io.weir.internal.postgres;

import java.util.List;

/**
 * The answer to several {@link RowSwap}s.
 *
 * @param sameEpoch whether the data has the epoch that was named; if not, nothing was replaced
 * @param rows one answer for each, in order
 * @param time the server's time in microseconds
 */
record SwapResult(boolean sameEpoch, List<Row> rows, long time) {
  /**
   * The answer to one.
   *
   * @param done whether it was replaced, or is what the node knew if that was all to find out
   * @param found the row before the statement
   * @param left whether it is what the node knew, and yet wasn't replaced: locked, or too late
   */
  record Row(boolean done, BucketRow found, boolean left) {
    /**
     * Answers one.
     *
     * @param found the row before the statement; without its state if that is known
     * @param swapped whether it was replaced
     */
    static Row of(RowSwap swap, BucketRow found, boolean swapped) {
      boolean known = found.version() == swap.before().version();
      boolean done = swap.after() == null ? known : swapped;
      return new Row(done, known ? swap.before() : found, known && !done);
    }
  }
}
