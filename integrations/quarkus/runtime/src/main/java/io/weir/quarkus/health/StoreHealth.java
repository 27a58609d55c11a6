package io.weir.quarkus.health;

import io.smallrye.health.api.Wellness;
import io.weir.Weir;
import io.weir.adapter.HealthDetails;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/**
 * Reports the store, and regions, as {@code weir}, among what no probe of Kubernetes asks for; up
 * in any case.
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
    HealthCheckResponseBuilder health = HealthCheckResponse.named("weir").up();
    HealthDetails.of(weir).forEach((name, value) -> add(health, name, value));
    return health.build();
  }

  /** MicroProfile Health knows no nested values, so each region becomes a field of its own. */
  private static void add(HealthCheckResponseBuilder health, String name, Object value) {
    if (value instanceof Map<?, ?> nested) {
      nested.forEach((inner, text) -> add(health, name + "." + inner, text));
    } else if (value instanceof Number number) {
      health.withData(name, number.longValue());
    } else {
      health.withData(name, value.toString());
    }
  }
}
