package io.weir.micronaut.health;

import io.micronaut.context.annotation.Requires;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.weir.Weir;
import io.weir.adapter.HealthDetails;
import jakarta.inject.Singleton;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Reports the store, and regions, as details; {@code UP} in any case. */
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
        () ->
            HealthResult.builder("weir", HealthStatus.UP).details(HealthDetails.of(weir)).build());
  }
}
