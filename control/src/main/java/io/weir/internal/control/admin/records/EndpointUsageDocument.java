package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.SchemaName;
import java.time.Instant;

/** A user's usage of an endpoint in an hour or a day. */
@SchemaName("EndpointDocument")
public record EndpointUsageDocument(
    String endpoint,
    Instant startsAt,
    long requests,
    long refused,
    long permits,
    long peakMinute) {}
