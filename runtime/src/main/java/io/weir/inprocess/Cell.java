package io.weir.inprocess;

import io.weir.algorithm.BucketState;

/**
 * The place of one bucket. Its monitor guards both fields; nothing that waits runs inside.
 *
 * <p>Once sealed, a cell is no longer in the map and never will be: who meets one looks again.
 */
final class Cell {
  final BucketState state;
  boolean sealed;

  Cell(BucketState state) {
    this.state = state;
  }
}
