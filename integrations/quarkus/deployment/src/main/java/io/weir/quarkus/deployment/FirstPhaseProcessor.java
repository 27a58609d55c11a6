package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.vertx.http.deployment.FilterBuildItem;
import io.quarkus.vertx.http.runtime.security.SecurityHandlerPriorities;
import io.weir.quarkus.WeirRecorder;
import java.util.Optional;

/** Decides requests of resources before the sign-in. */
class FirstPhaseProcessor {
  /**
   * Runs after CORS, whose fields a refusal needs, and right before the sign-in of Quarkus
   * Security.
   */
  static final int BEFORE_SIGN_IN = SecurityHandlerPriorities.AUTHENTICATION + 50;

  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  Optional<FilterBuildItem> filter(
      WeirRecorder recorder, BeanContainerBuildItem beans, Capabilities capabilities) {
    return capabilities.isPresent(Capability.RESTEASY_REACTIVE)
            || capabilities.isPresent(Capability.RESTEASY)
        ? Optional.of(new FilterBuildItem(recorder.filter(beans.getValue()), BEFORE_SIGN_IN))
        : Optional.empty();
  }
}
