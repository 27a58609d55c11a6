package io.weir.quarkus.health;

import io.smallrye.health.api.Wellness;
import io.weir.Weir;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/**
 * Reports the store as {@code weir}, among what no probe of Kubernetes asks for.
 *
 * <p>The check is up also while the store is away: each policy then decides by its {@code
 * onStoreFailure}. All nodes share the store, so a load balancer that goes by the status would take
 * out all of them at once.
 */
@Wellness
@Singleton
public class StoreHealth implements HealthCheck {
  private final Weir weir;

  /**
   * Called by Quarkus.
   *
   * @param weir the application's
   */
  @Inject
  public StoreHealth(Weir weir) {
    this.weir = weir;
  }

  @Override
  public HealthCheckResponse call() {
    boolean isAway = weir.isStoreAway();
    HealthCheckResponseBuilder health =
        HealthCheckResponse.named("weir")
            .up()
            .withData("store", weir.store())
            .withData("storeState", isAway ? "away" : "reachable");
    if (isAway) {
      health.withData("decisions", "without the store, by onStoreFailure of each policy");
    }
    return health.withData("nodes", weir.nodes()).build();
  }
}
