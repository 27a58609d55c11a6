package io.weir.quarkus.deployment;

import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.BeanContainerBuildItem;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.ExecutionTime;
import io.quarkus.deployment.annotations.Record;
import io.quarkus.deployment.metrics.MetricsCapabilityBuildItem;
import io.quarkus.deployment.metrics.MetricsFactoryConsumerBuildItem;
import io.quarkus.runtime.metrics.MetricsFactory;
import io.weir.quarkus.metrics.MetricsRecorder;
import java.util.Optional;

/** Measures into the registry of an application with Micrometer. */
class MetricsProcessor {
  /** Named as a text: its class needs what an application without metrics hasn't. */
  private static final String METRICS = "io.weir.quarkus.metrics.RegistryMetrics";

  @BuildStep
  void beans(
      Optional<MetricsCapabilityBuildItem> found, BuildProducer<AdditionalBeanBuildItem> beans) {
    if (hasMicrometer(found)) {
      beans.produce(AdditionalBeanBuildItem.unremovableOf(METRICS));
    }
  }

  @BuildStep
  @Record(ExecutionTime.RUNTIME_INIT)
  Optional<MetricsFactoryConsumerBuildItem> begin(
      MetricsRecorder recorder,
      BeanContainerBuildItem beans,
      Optional<MetricsCapabilityBuildItem> found) {
    return hasMicrometer(found)
        ? Optional.of(new MetricsFactoryConsumerBuildItem(recorder.begin(beans.getValue())))
        : Optional.empty();
  }

  private static boolean hasMicrometer(Optional<MetricsCapabilityBuildItem> found) {
    return found.filter(each -> each.metricsSupported(MetricsFactory.MICROMETER)).isPresent();
  }
}
