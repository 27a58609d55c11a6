package io.weir.rules.quota;

import java.time.Instant;
import java.util.Optional;

/**
 * Describes a billing period of a user in the ledger: a row of {@code quota_periods}. A period
 * without requests has no row.
 *
 * <p>Immutable.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param startsAt when it begins, inclusive
 * @param endsAt when it ends, exclusive
 * @param limit permits of the period, when it was closed; while it is open, when the ledger was
 *     written last
 * @param rollover permits that came over from the period before
 * @param granted permits of its grants
 * @param used permits used, as far as nodes have written them
 * @param closedAt when it was closed, and the rollover calculated; empty if it is current, or the
 *     user has made no request since
 */
public record QuotaPeriod(
    String userId,
    Instant startsAt,
    Instant endsAt,
    long limit,
    long rollover,
    long granted,
    long used,
    Optional<Instant> closedAt) {}
