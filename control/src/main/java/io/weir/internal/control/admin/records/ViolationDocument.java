package io.weir.internal.control.admin.records;

import java.time.Instant;

/** The refusals of one caller at one endpoint in a few seconds. */
record ViolationDocument(
    long id, String userId, String endpoint, String policy, Instant at, long count) {}
