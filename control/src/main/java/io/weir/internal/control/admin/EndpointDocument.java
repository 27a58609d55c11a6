package io.weir.internal.control.admin;

import io.weir.rules.usage.EndpointUsage;
import java.time.Instant;

/** What a user has used of an endpoint, in an hour or a day. */
record EndpointDocument(
    String endpoint, Instant startsAt, long requests, long refused, long permits, long peakMinute) {
  static EndpointDocument of(EndpointUsage each) {
    return new EndpointDocument(
        each.endpoint(),
        each.startsAt(),
        each.requests(),
        each.refused(),
        each.permits(),
        each.peakMinute());
  }
}
