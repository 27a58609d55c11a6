package io.weir.internal.control.events;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes a line for each request for another tier, so that whoever has no console sees it as well.
 * The line doesn't say who asks. Of the nodes that share a database one writes it.
 *
 * <p>Safe for concurrent use.
 */
public final class UpgradeLog {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int LONGEST = 100;

  private final BooleanSupplier isOnDuty;

  private UpgradeLog(BooleanSupplier isOnDuty) {
    this.isOnDuty = isOnDuty;
  }

  /**
   * Begins to write.
   *
   * @param hub has the events
   * @param isOnDuty whether this node tells of what is in the database
   */
  public static void start(EventHub hub, BooleanSupplier isOnDuty) {
    hub.listen(new UpgradeLog(isOnDuty)::heard);
  }

  private void heard(ControlEvent event) {
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

  /** As somebody wrote it, so without what would begin a line of its own. */
  private static String tier(@Nullable Object row) {
    String tier = row instanceof JsonNode node ? node.path("requested_tier").asText() : "";
    return tier.replaceAll("[^\\p{L}\\p{N} ._-]", "?")
        .substring(0, Math.min(LONGEST, tier.length()));
  }
}
