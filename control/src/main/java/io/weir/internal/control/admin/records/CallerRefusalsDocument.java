package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.Described;
import io.weir.rules.usage.CallerRefusals;
import java.time.Instant;
import java.util.List;

/** The refusals of a caller in a span of time. */
record CallerRefusalsDocument(
    @Described("The user; ip: and an address; or * for all others beyond the busiest 1,000")
        String userId,
    long refused,
    @Described("The number of endpoints at which it was refused") long endpoints,
    @Described("The policies that refused it, the most frequent first; at most 5")
        List<String> policies,
    @Described("A few seconds before the last refusal") Instant lastAt) {
  static CallerRefusalsDocument of(CallerRefusals each) {
    return new CallerRefusalsDocument(
        each.caller(), each.refusals(), each.endpoints(), each.policies(), each.lastAt());
  }
}
