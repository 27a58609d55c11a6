package io.weir.internal.control.admin;

import io.weir.internal.control.resource.Described;
import io.weir.rules.tier.TierUpgrade;
import io.weir.rules.tier.UpgradeStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A request for another tier in JSON. */
public record UpgradeDocument(
    long id,
    String userId,
    String currentTier,
    String requestedTier,
    String reason,
    @Described("PENDING, APPROVED, DECLINED or WITHDRAWN") String status,
    @Nullable Instant createdAt,
    @Nullable Instant decidedAt,
    @Described("A word for the user; null while it is pending") @Nullable String answer) {
  /** As it is told to users and administrators. */
  public static UpgradeDocument of(TierUpgrade upgrade) {
    boolean isPending = upgrade.status() == UpgradeStatus.PENDING;
    return new UpgradeDocument(
        upgrade.id(),
        upgrade.userId(),
        upgrade.currentTier(),
        upgrade.requestedTier(),
        upgrade.reason(),
        upgrade.status().name(),
        upgrade.createdAt().orElse(null),
        upgrade.decidedAt().orElse(null),
        isPending ? null : upgrade.answer());
  }
}
