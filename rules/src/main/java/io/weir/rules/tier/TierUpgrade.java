package io.weir.rules.tier;

import java.time.Instant;
import java.util.Optional;

/**
 * A user's wish for another tier: a row of {@code tier_upgrade_requests}.
 *
 * <p>Immutable.
 *
 * @param id given by the database
 * @param userId who asks
 * @param currentTier the tier that the user had when it asked
 * @param requestedTier the tier that the user wants; case counts
 * @param reason why, in the user's words; may be empty
 * @param status what has become of it
 * @param decidedBy who has decided, the user itself if it was withdrawn; empty while it is pending
 * @param decidedAt when that was; nothing while it is pending
 * @param answer the word that the user is told; may be empty
 * @param createdAt when the user asked
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
