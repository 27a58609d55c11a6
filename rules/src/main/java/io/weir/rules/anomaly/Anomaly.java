package io.weir.rules.anomaly;

import java.time.Instant;

/**
 * A caller who uses an endpoint far more often than usual, as its row in the database has it.
 *
 * <p>It ends by itself after ten minutes. If the caller still goes on, another one follows.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param endpoint the resource's template, the servlet's mapping, or the pattern of the rule that
 *     matched
 * @param score how far a minute lies above the median of the usual ones, in spreads of these: above
 *     2 is unusual
 * @param anomalous false where a person has said that it may be: the action is {@link
 *     AnomalyAction#ALLOW} then
 * @param reason how often, and how often usually, as a sentence
 * @param action what is done about it until it ends
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
