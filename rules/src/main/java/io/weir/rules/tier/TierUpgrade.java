package io.weir.rules.tier;

import java.time.Instant;
import java.util.Optional;

/**
 * Describes a user's request for another tier: a row of {@code tier_upgrade_requests}.
 *
 * <p>Immutable.
 *
 * @param id given by the database
 * @param userId the user
 * @param currentTier the tier of the user at the time of the request
 * @param requestedTier the tier that the user wants; case counts
 * @param reason the reason, in the user's words; may be empty
 * @param status its status
 * @param decidedBy the author of the decision, the user if withdrawn; empty while pending
 * @param decidedAt when it was decided; empty while pending
 * @param answer the answer to the user; may be empty
 * @param createdAt when the user made the request
 * @param version how often the row was written
 */
public record TierUpgrade(
    long id,
    String userId,
    String currentTier,
    String requestedTier,
    String reason,
    UpgradeStatus status,
    String decidedBy,
    Optional<Instant> decidedAt,
    String answer,
    Optional<Instant> createdAt,
    long version) {}
