package io.weir.quarkus.metrics;

import io.micrometer.core.instrument.Metrics;
import io.quarkus.arc.DefaultBean;
import io.weir.Decision;
import io.weir.metrics.MicrometerMetrics;
import io.weir.spi.DecisionMetrics;
import jakarta.inject.Singleton;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Measures into the registry of Quarkus, which is Micrometer's global one, from when that is
 * configured: a meter that is made before has neither the filters nor the tags of the application.
 * Decisions that are made until then aren't measured.
 *
 * <p>Safe for concurrent use.
 */
@DefaultBean
@Singleton
public class RegistryMetrics implements DecisionMetrics {
  private final Set<LongSupplier> early = new LinkedHashSet<>();
  private volatile DecisionMetrics metrics = DecisionMetrics.none();
  private boolean begun;

  /** Called by Quarkus. */
  public RegistryMetrics() {}

  /** Begins to measure. */
  synchronized void begin() {
    DecisionMetrics now = new MicrometerMetrics(Metrics.globalRegistry);
    early.forEach(now::bucketsHeld);
    early.clear();
    metrics = now;
    begun = true;
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
    if (begun) {
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
