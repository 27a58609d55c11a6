package io.weir.internal.control.dashboard;

import java.time.Instant;

/** A user's usage of an endpoint in an hour. */
record UsageHourDocument(
    Instant startsAt, String endpoint, long requests, long refused, long permits) {}
