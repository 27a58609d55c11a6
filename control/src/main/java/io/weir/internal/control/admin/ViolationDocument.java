package io.weir.internal.control.admin;

import io.weir.rules.usage.Violation;
import java.time.Instant;

/** Refusals of one caller at one endpoint, of a few seconds. */
record ViolationDocument(
    long id, String userId, String endpoint, String policy, Instant at, long count) {
  static ViolationDocument of(Violation each) {
    return new ViolationDocument(
        each.id(), each.userId(), each.endpoint(), each.policy(), each.at(), each.count());
  }
}
