package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.Described;
import io.weir.rules.NodeStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The counts of a node since it started. */
record NodeDocument(
    String node,
    Instant startedAt,
    Instant seenAt,
    long admitted,
    long refused,
    long degraded,
    long dropped,
    String breaker,
    @Described("Average in microseconds; null if the node hasn't called the store")
        @Nullable Long storeLatency) {
  static NodeDocument of(NodeStatus each) {
    return new NodeDocument(
        each.node(),
        each.startedAt(),
        each.seenAt(),
        each.admitted(),
        each.refused(),
        each.degraded(),
        each.dropped(),
        each.breaker(),
        each.storeLatency().map(latency -> latency.toNanos() / 1_000).orElse(null));
  }
}
