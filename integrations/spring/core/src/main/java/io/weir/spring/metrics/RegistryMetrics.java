package io.weir.spring.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.weir.Decision;
import io.weir.metrics.MicrometerMetrics;
import io.weir.spi.DecisionMetrics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/**
 * Measures into the {@link MeterRegistry} bean; without one into Micrometer's global registry, as
 * Weir does elsewhere.
 *
 * <p>If Weir is made while Spring still registers post-processors, since an advice needs it, the
 * registry is looked up once all beans are made. A registry that is made before its post-processor
 * has neither the filters nor the tags of the application. Decisions that the application makes
 * until then aren't measured.
 *
 * <p>Safe for concurrent use.
 */
final class RegistryMetrics implements DecisionMetrics, SmartInitializingSingleton {
  private final ObjectProvider<MeterRegistry> registries;
  private final Set<LongSupplier> early = new LinkedHashSet<>();
  private volatile DecisionMetrics metrics = DecisionMetrics.none();
  private boolean found;

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
  public final synchronized void afterSingletonsInstantiated() {
    if (!found) {
      found = true;
      DecisionMetrics now = find();
      early.forEach(now::bucketsHeld);
      early.clear();
      metrics = now;
    }
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

  @Override
  public void decided(Decision part) {
    metrics.decided(part);
  }

  @Override
  public void took(long nanos) {
    metrics.took(nanos);
  }

  @Override
  public void storeExecuted(int claims, long nanos) {
    metrics.storeExecuted(claims, nanos);
  }

  @Override
  public void struck(String policy) {
    metrics.struck(policy);
  }

  @Override
  public void banned(String policy, boolean isShadow) {
    metrics.banned(policy, isShadow);
  }

  @Override
  public void storeFailed() {
    metrics.storeFailed();
  }

  @Override
  public synchronized void bucketsHeld(LongSupplier held) {
    if (found) {
      metrics.bucketsHeld(held);
    } else {
      early.add(held);
    }
  }

  @Override
  public synchronized void limiterClosed(LongSupplier held) {
    early.remove(held);
    metrics.limiterClosed(held);
  }

  @Override
  public synchronized void close() {
    metrics.close();
  }
}
