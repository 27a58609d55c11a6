package io.weir.internal.rules.nodes;

import java.util.Optional;

/**
 * Remembers the last report of this node, and why it can't be written, for readers.
 *
 * <p>Safe for concurrent use.
 */
final class OwnNode {
  private volatile Optional<NodeReport> unwritten = Optional.empty();

  /** Notes that the last report was written, or couldn't be since the database is unavailable. */
  void written() {
    unwritten = Optional.empty();
  }

  void refused(NodeReport report) {
    unwritten = Optional.of(report);
  }

  /** Returns the last report if the database refuses it. */
  Optional<NodeReport> unwritten() {
    return unwritten;
  }
}
