package io.weir.internal.control.admin.records;

import io.weir.internal.control.resource.SchemaName;

/** A user's usage in a span of time. */
@SchemaName("UsageDocument")
record UserUsageDocument(String userId, long requests, long refused, long permits) {}
