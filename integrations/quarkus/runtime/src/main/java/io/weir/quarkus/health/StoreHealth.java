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
 * Reports the store and regions as {@code weir}, among what no probe of Kubernetes asks for. The
 * check is always up.
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
    HealthDetails.of(weir).forEach((name, value) -> add(name, value, health));
    return health.build();
  }

  /** Adds a detail, of a map each of its values: the report has no others. */
  private static void add(String name, Object value, HealthCheckResponseBuilder health) {
    if (value instanceof Map<?, ?> parts) {
      parts.forEach((part, detail) -> add(name + "." + part, detail, health));
    } else if (value instanceof Integer number) {
      health.withData(name, number);
    } else {
      health.withData(name, value.toString());
    }
  }
}
