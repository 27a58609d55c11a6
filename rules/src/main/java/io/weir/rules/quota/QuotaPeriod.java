package io.weir.rules.quota;

import java.time.Instant;
import java.util.Optional;

/**
 * A billing period of one user, as the ledger has it: a row of {@code quota_periods}. A period
 * without requests has none.
 *
 * <p>Immutable.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param startsAt when it begins, inclusive
 * @param endsAt when it ends, exclusive
 * @param limit permits of the period: as it was closed, or while it isn't, as the ledger was last
 *     written
 * @param rollover permits that came over from the period before
 * @param granted permits of grants that it had
 * @param used permits that were used, as far as nodes have written it
 * @param closedAt when the rollover of the next period was made of it; nothing if it runs, or
 *     nobody has made a request since
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
