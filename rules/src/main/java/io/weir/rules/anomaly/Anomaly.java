package io.weir.rules.anomaly;

import java.time.Instant;

/**
 * Describes a caller that uses an endpoint far more often than usual: a row of the anomalies table.
 *
 * <p>It ends by itself after ten minutes. If the caller goes on, another one follows.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param endpoint the resource's template, the servlet's mapping, or the pattern of the rule that
 *     matched
 * @param score how far a minute lies above the median of usual ones, in spreads of these; above 2
 *     is unusual
 * @param anomalous false if a person has allowed it: then the action is {@link AnomalyAction#ALLOW}
 * @param reason the number of requests and the usual number, as a sentence
 * @param action the action until it ends
 * @param since when it was found
 * @param until when it ends by itself, exclusive
 */
public record Anomaly(
    String userId,
    String endpoint,
    double score,
    boolean anomalous,
    String reason,
    AnomalyAction action,
    Instant since,
    Instant until) {}
