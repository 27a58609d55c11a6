package io.weir.internal.control.dashboard;

import io.weir.rules.usage.EndpointUsage;
import java.time.Instant;

/** A user's usage of an endpoint in an hour. */
record UsageHourDocument(
    Instant startsAt, String endpoint, long requests, long refused, long permits) {
  static UsageHourDocument of(EndpointUsage each) {
    return new UsageHourDocument(
        each.startsAt(), each.endpoint(), each.requests(), each.refused(), each.permits());
  }
}
