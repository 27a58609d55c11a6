package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.Described;

/** The usage of all callers of a tier in a span of time. */
record TierUsageDocument(
    @Described("The tier that the callers have today; * stands for all unknown callers")
        String tier,
    @Described("Known users; unknown callers aren't counted") long users,
    long requests,
    long refused,
    long permits) {}
