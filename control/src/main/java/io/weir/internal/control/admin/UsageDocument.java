package io.weir.internal.control.admin;

import io.weir.rules.usage.UserUsage;

/** What a user has used in a time. */
record UsageDocument(String userId, long requests, long refused, long permits) {
  static UsageDocument of(UserUsage each) {
    return new UsageDocument(each.userId(), each.requests(), each.refused(), each.permits());
  }
}
