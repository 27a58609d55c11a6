package io.weir.internal.control.admin.outcomes;

import io.weir.internal.control.resource.Described;
import java.time.Instant;

/** Decisions of one policy in an hour. */
record HourlyOutcomesDocument(
    @Described("Its name; * for all policies that a node had no room to count one by one")
        String policy,
    @Described("The beginning of the hour, in UTC") Instant startsAt,
    long admitted,
    long refused,
    long soft,
    long shadowRefused,
    long degraded) {}
