package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.bootstrap.classloading.QuarkusClassLoader;
import io.quarkus.deployment.annotations.BuildStep;
import java.util.Optional;

/** Opens rules in a datasource of the application where it has {@code weir-rules}. */
class RulesProcessor {
  @BuildStep
  Optional<AdditionalBeanBuildItem> beans() {
    return QuarkusClassLoader.isClassPresentAtRuntime("io.weir.rules.Rules")
        ? Optional.of(AdditionalBeanBuildItem.unremovableOf("io.weir.quarkus.rules.RulesBeans"))
        : Optional.empty();
  }
}
