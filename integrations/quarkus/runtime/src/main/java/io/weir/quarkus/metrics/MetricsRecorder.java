package io.weir.quarkus.metrics;

import io.quarkus.arc.runtime.BeanContainer;
import io.quarkus.runtime.annotations.Recorder;
import io.quarkus.runtime.metrics.MetricsFactory;
import java.util.function.Consumer;

/** Has Weir measure from when Quarkus has configured its registry, as the build has recorded it. */
@Recorder
public class MetricsRecorder {
  /** Called by Quarkus. */
  public MetricsRecorder() {}

  /**
   * Returns what runs once the registry is configured.
   *
   * @param beans the application's
   * @return begins to measure
   */
  public Consumer<MetricsFactory> begin(BeanContainer beans) {
    return any -> beans.beanInstance(RegistryMetrics.class).begin();
  }
}
