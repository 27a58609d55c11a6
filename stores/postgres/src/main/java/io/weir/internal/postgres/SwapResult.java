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
   */
  record Row(boolean done, BucketRow found) {}
}
