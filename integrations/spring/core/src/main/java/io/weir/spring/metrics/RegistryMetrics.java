package io.weir.spring.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.weir.metrics.DeferredMetrics;
import io.weir.metrics.MicrometerMetrics;
import io.weir.spi.DecisionMetrics;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/**
 * Measures into the {@link MeterRegistry} bean; without one into Micrometer's global registry, as
 * Weir does elsewhere.
 *
 * <p>If Weir is made while Spring still registers post-processors, since an advice needs it, the
 * registry is looked up once all beans are made. A registry that is made before its post-processor
 * has neither the filters nor the tags of the application.
 *
 * <p>Safe for concurrent use.
 */
final class RegistryMetrics extends DeferredMetrics implements SmartInitializingSingleton {
  private final ObjectProvider<MeterRegistry> registries;

  /**
   * Makes metrics.
   *
   * @param isReady whether all post-processors are registered
   */
  RegistryMetrics(ObjectProvider<MeterRegistry> registries, boolean isReady) {
    this.registries = registries;
    if (isReady) {
      afterSingletonsInstantiated();
    }
  }

  @Override
  public final void afterSingletonsInstantiated() {
    begin(this::find);
  }

  private DecisionMetrics find() {
    MeterRegistry single = registries.getIfUnique();
    if (single != null) {
      return new MicrometerMetrics(single);
    }
    List<MeterRegistry> all = registries.orderedStream().toList();
    if (all.isEmpty()) {
      return MicrometerMetrics.found(
          Objects.requireNonNull(ClassUtils.getDefaultClassLoader(), "no class loader"));
    }
    CompositeMeterRegistry composite = new CompositeMeterRegistry();
    all.forEach(composite::add);
    return new MicrometerMetrics(composite);
  }
}
