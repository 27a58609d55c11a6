package io.weir.micronaut.health;

import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.weir.Weir;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/**
 * Reports the store, and regions, as details. The application stays up while the store or another
 * region can't be reached: each policy then decides by its {@code onStoreFailure}, or by the own
 * region's store, and a load balancer would take out all nodes at once.
 */
@Singleton
@Requires(classes = HealthIndicator.class, beans = HealthEndpoint.class)
final class StoreHealth implements HealthIndicator {
  private final Weir weir;

  StoreHealth(Weir weir) {
    this.weir = weir;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    return Mono.fromSupplier(
        () -> HealthResult.builder("weir", HealthStatus.UP).details(details()).build());
  }

  private Map<String, Object> details() {
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
