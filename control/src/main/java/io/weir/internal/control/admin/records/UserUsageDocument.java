package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.SchemaName;
import io.weir.rules.usage.UserUsage;

/** A user's usage in a span of time. */
@SchemaName("UsageDocument")
record UserUsageDocument(String userId, long requests, long refused, long permits) {
  static UserUsageDocument of(UserUsage each) {
    return new UserUsageDocument(each.userId(), each.requests(), each.refused(), each.permits());
  }
}
