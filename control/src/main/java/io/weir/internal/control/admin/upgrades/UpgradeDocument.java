package io.weir.internal.control.admin.upgrades;

import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.Described;
import io.weir.rules.tier.TierUpgrade;
import io.weir.rules.tier.UpgradeStatus;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request for another tier. */
public record UpgradeDocument(
    long id,
    String userId,
    String currentTier,
    String requestedTier,
    String reason,
    @Described("PENDING, APPROVED, DECLINED or WITHDRAWN") String status,
    @Nullable Instant createdAt,
    @Nullable Instant decidedAt,
    @Described("The message for the user; null while the request is pending")
        @Nullable String answer) {
  public static UpgradeDocument of(TierUpgrade upgrade) {
    Map<String, Object> members = JsonRecords.members(upgrade);
    if (upgrade.status() == UpgradeStatus.PENDING) {
      members.remove("answer");
    }
    return JsonRecords.of(UpgradeDocument.class, members);
  }
}
