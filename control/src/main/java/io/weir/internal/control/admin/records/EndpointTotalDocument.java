package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.Described;
import io.weir.rules.usage.EndpointTotal;

/** The usage of an endpoint by all callers in a span of time. */
record EndpointTotalDocument(
    String endpoint,
    @Described("Known users; unknown callers aren't counted") long users,
    long requests,
    long refused,
    long permits,
    @Described("The requests of the busiest minute of any one known user") long peakMinute) {
  static EndpointTotalDocument of(EndpointTotal each) {
    return new EndpointTotalDocument(
        each.endpoint(),
        each.users(),
        each.requests(),
        each.refused(),
        each.permits(),
        each.peakMinute());
  }
}
