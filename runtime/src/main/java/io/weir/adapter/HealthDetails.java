package io.weir.adapter;

import io.weir.RegionStatus;
import io.weir.Weir;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Describes the store and the regions for the health report of a framework.
 *
 * <p>A store that is away is a detail, and the application stays up: each policy then decides by
 * its {@code onStoreFailure}. All nodes share the store, so a load balancer that goes by the status
 * would take out all of them at once, and even a status of its own would alarm those who only
 * compare with {@code UP}. A region that is cut off is a detail for the same reason: this one goes
 * on by its own store.
 */
public final class HealthDetails {
  private HealthDetails() {}

  /**
   * Describes the store and the regions. Asks neither, so it returns at once.
   *
   * @param weir the application's
   * @return {@code store}, its {@code storeState} ({@code reachable} or {@code away}), and {@code
   *     nodes}, their number; with {@code decisions} while it is away, and {@code regions}, a map
   *     of each to {@linkplain RegionStatus#describe a description}, if there are any
   */
  public static Map<String, Object> of(Weir weir) {
    boolean isAway = weir.isStoreAway();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", weir.store());
    details.put("storeState", isAway ? "away" : "reachable");
    if (isAway) {
      details.put("decisions", "without the store, by onStoreFailure of each policy");
    }
    details.put("nodes", weir.nodes());
    Map<String, String> regions = new LinkedHashMap<>();
    weir.regions().forEach(each -> regions.put(each.name(), each.describe()));
    if (!regions.isEmpty()) {
      details.put("regions", regions);
    }
    return details;
  }
}
