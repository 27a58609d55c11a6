package io.weir.internal.control.admin.records;

import java.time.Instant;

/** A caller that uses an endpoint far more often than usual. */
record AnomalyDocument(
    String userId,
    String endpoint,
    double score,
    boolean anomalous,
    String reason,
    String action,
    Instant since,
    Instant until) {}
