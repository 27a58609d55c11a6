package io.weir.internal.control.admin.records;

import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.json.RoundedNumber;
import io.weir.internal.control.resource.Described;
import io.weir.rules.NodeStatus;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counts of a node since it started, and how it is. */
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
        @Nullable Long storeLatency,
    @Described("The node's version of Weir; null if it isn't known") @Nullable String version,
    @Described("Claims that the store executed for it, per second, between its last two reports")
        double exchangesPerSecond,
    @Described("The number of the newest change that it has applied; 0 if there is none")
        long rulesVersion,
    @Described(
            "The node's clock minus that of the database, in milliseconds; null if it isn't known")
        @Nullable Long clockOffsetMillis,
    @Described("Whether it may write its reports. If not, it is in the list of its own API alone")
        boolean mayWrite,
    @Described("The parts that its reports lack, in words for people; null if there are none")
        @Nullable String note) {
  static NodeDocument of(NodeStatus each) {
    Map<String, Object> members = JsonRecords.members(each);
    each.storeLatency()
        .ifPresent(latency -> members.put("storeLatency", latency.toNanos() / 1_000));
    members.put("exchangesPerSecond", RoundedNumber.thousandths(each.exchangesPerSecond()));
    each.clockOffset().ifPresent(offset -> members.put("clockOffsetMillis", offset.toMillis()));
    return JsonRecords.of(NodeDocument.class, members);
  }
}
