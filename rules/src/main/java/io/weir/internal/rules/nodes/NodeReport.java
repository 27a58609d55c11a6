package io.weir.internal.rules.nodes;

import io.weir.internal.rules.outcomes.IntervalOutcomes;
import io.weir.rules.NodeStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Holds one report of a node: its status, and what it decided since the report before. Immutable.
 *
 * @param status its status; {@code seenAt} is the database's when it is read, and without meaning
 *     before
 * @param instance distinguishes nodes of one name; see {@link #newInstance}
 * @param exchanges claims that the store executed in the interval
 * @param interval what it decided; empty for a node of a version that doesn't report it
 */
record NodeReport(
    NodeStatus status, String instance, long exchanges, Optional<IntervalOutcomes> interval) {
  /**
   * Makes the mark of a node that starts now. It ends with the time of the start: a node of an
   * older version that takes over the row of its name changes {@code started_at}, but not the
   * columns that it doesn't know.
   *
   * @return at most 50 characters
   */
  static String newInstance(Instant startedAt) {
    return UUID.randomUUID() + mark(startedAt);
  }

  /** Returns whether a row is as an instance has written it, and nobody since. */
  static boolean isInstance(@Nullable String instance, Instant startedAt) {
    return instance != null && instance.endsWith(mark(startedAt));
  }

  private static String mark(Instant startedAt) {
    return "@" + Long.toString(startedAt.toEpochMilli(), Character.MAX_RADIX);
  }

  /** Sets the database's time, and by how much the node's clock is ahead of it. */
  NodeReport seen(Instant at, Duration clockOffset) {
    return with(status.node(), at, Optional.of(clockOffset), status.mayWrite(), status.note());
  }

  NodeReport named(String name) {
    return with(name, status.seenAt(), status.clockOffset(), status.mayWrite(), status.note());
  }

  /** Marks a report that can't be written. */
  NodeReport unwritten(Instant at, String note) {
    return with(status.node(), at, status.clockOffset(), false, Optional.of(note));
  }

  private NodeReport with(
      String node,
      Instant seenAt,
      Optional<Duration> clockOffset,
      boolean mayWrite,
      Optional<String> note) {
    return new NodeReport(
        new NodeStatus(
            node,
            status.startedAt(),
            seenAt,
            status.admitted(),
            status.refused(),
            status.degraded(),
            status.dropped(),
            status.breaker(),
            status.storeLatency(),
            status.version(),
            status.exchangesPerSecond(),
            status.rulesVersion(),
            clockOffset,
            mayWrite,
            note),
        instance,
        exchanges,
        interval);
  }
}
