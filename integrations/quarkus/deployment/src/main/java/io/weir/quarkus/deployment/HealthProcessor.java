package io.weir.quarkus.deployment;

import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import java.util.Optional;

/** Reports the store where the application has SmallRye Health. */
class HealthProcessor {
  /** Named as a text: its class needs what an application without health hasn't. */
  private static final String CHECK = "io.weir.quarkus.health.StoreHealth";

  @BuildStep
  Optional<HealthBuildItem> check(Capabilities capabilities) {
    return capabilities.isPresent(Capability.SMALLRYE_HEALTH)
        ? Optional.of(new HealthBuildItem(CHECK, true))
        : Optional.empty();
  }
}
