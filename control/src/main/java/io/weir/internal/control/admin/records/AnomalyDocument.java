package io.weir.internal.control.admin.records;

import io.weir.rules.anomaly.Anomaly;
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
    Instant until) {
  static AnomalyDocument of(Anomaly each) {
    return new AnomalyDocument(
        each.userId(),
        each.endpoint(),
        each.score(),
        each.anomalous(),
        each.reason(),
        each.action().name(),
        each.since(),
        each.until());
  }
}
