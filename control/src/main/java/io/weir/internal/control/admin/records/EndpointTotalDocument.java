package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.Described;

/** The usage of an endpoint by all callers in a span of time. */
record EndpointTotalDocument(
    String endpoint,
    @Described("Known users; unknown callers aren't counted") long users,
    long requests,
    long refused,
    long permits,
    @Described("The requests of the busiest minute of any one known user") long peakMinute) {}
