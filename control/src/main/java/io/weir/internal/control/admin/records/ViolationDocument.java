package io.weir.internal.control.admin.records;

import io.weir.rules.usage.Violation;
import java.time.Instant;

/** The refusals of one caller at one endpoint in a few seconds. */
record ViolationDocument(
    long id, String userId, String endpoint, String policy, Instant at, long count) {
  static ViolationDocument of(Violation each) {
    return new ViolationDocument(
        each.id(), each.userId(), each.endpoint(), each.policy(), each.at(), each.count());
  }
}
