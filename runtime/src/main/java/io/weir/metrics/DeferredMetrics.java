package io.weir.metrics;

import io.weir.Decision;
import io.weir.RegionStatus;
import io.weir.spi.DecisionMetrics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures by other metrics, from when these can be made: for frameworks that configure their
 * registry after they have made the Weir. What is held is measured from then on, whenever it was
 * added; decisions that are made before aren't measured.
 *
 * <p>Safe for concurrent use.
 */
public class DeferredMetrics implements DecisionMetrics {
  private final Set<LongSupplier> buckets = new LinkedHashSet<>();
  private final Set<Supplier<List<RegionStatus>>> regions = new LinkedHashSet<>();
  private volatile DecisionMetrics metrics = DecisionMetrics.none();
  private boolean begun;

  /** Makes metrics that measure nothing yet. */
  public DeferredMetrics() {}

  /**
   * Begins to measure; does nothing if it has begun.
   *
   * @param made makes the metrics; called once, in this thread
   */
  public final synchronized void begin(Supplier<DecisionMetrics> made) {
    if (begun) {
      return;
    }
    begun = true;
    DecisionMetrics now = made.get();
    buckets.forEach(now::bucketsHeld);
    buckets.clear();
    regions.forEach(now::regions);
    regions.clear();
    metrics = now;
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
      buckets.add(held);
    }
  }

  @Override
  public synchronized void limiterClosed(LongSupplier held) {
    buckets.remove(held);
    metrics.limiterClosed(held);
  }

  @Override
  public synchronized void regions(Supplier<List<RegionStatus>> status) {
    if (begun) {
      metrics.regions(status);
    } else {
      regions.add(status);
    }
  }

  @Override
  public synchronized void regionsClosed(Supplier<List<RegionStatus>> status) {
    regions.remove(status);
    metrics.regionsClosed(status);
  }

  @Override
  public synchronized void close() {
    metrics.close();
  }
}
