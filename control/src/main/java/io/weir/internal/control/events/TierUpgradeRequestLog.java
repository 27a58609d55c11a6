package io.weir.internal.control.events;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs each new request for another tier, for operators without a console. The line doesn't name
 * the user. Of the nodes that share a database, one logs it.
 *
 * <p>Safe for concurrent use.
 */
public final class TierUpgradeRequestLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int MAX_TIER = 100;

  private final BooleanSupplier isOnDuty;

  private TierUpgradeRequestLog(BooleanSupplier isOnDuty) {
    this.isOnDuty = isOnDuty;
  }

  /** Logs only while {@code isOnDuty}: this node reports changes of the database then. */
  public static void start(EventHub hub, BooleanSupplier isOnDuty) {
    hub.listen(new TierUpgradeRequestLog(isOnDuty)::accept);
  }

  private void accept(ControlEvent event) {
    Map<String, Object> data = event.data();
    if (event.type().equals("tier_upgrade_requests")
        && "added".equals(data.get("what"))
        && isOnDuty.getAsBoolean()) {
      LOG.log(
          Level.INFO,
          "an upgrade to tier "
              + tier(data.get("row"))
              + " waits for a decision: request "
              + data.get("rowKey"));
    }
  }

  /** Removes line breaks and the like, since a user wrote it. */
  private static String tier(@Nullable Object row) {
    String tier = row instanceof JsonNode node ? node.path("requested_tier").asText() : "";
    return tier.replaceAll("[^\\p{L}\\p{N} ._-]", "?")
        .substring(0, Math.min(MAX_TIER, tier.length()));
  }
}
