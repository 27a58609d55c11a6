package io.weir.internal.control.dashboard;

import io.weir.internal.control.resource.Described;
import java.time.Instant;

/** The refusals of a user at an endpoint in a few seconds. */
record RefusalDocument(
    String endpoint,
    @Described("The policy that refused; of several the one with the longest wait") String policy,
    @Described("The time of the first of these refusals") Instant at,
    long count) {}
