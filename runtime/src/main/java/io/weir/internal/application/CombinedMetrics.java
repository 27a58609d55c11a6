package io.weir.internal.application;

import io.weir.Decision;
import io.weir.RegionStatus;
import io.weir.spi.DecisionMetrics;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Passes each call on to the metrics of the policy source and to those of the application. If one
 * of them fails, the other is called all the same.
 *
 * <p>Safe for concurrent use.
 */
final class CombinedMetrics implements DecisionMetrics {
  private final DecisionMetrics ofSource;
  private final DecisionMetrics ofApplication;

  CombinedMetrics(DecisionMetrics ofSource, DecisionMetrics ofApplication) {
    this.ofSource = ofSource;
    this.ofApplication = ofApplication;
  }

  @Override
  public void decided(Decision part) {
    try { // no lambda, since this is called for each decision
      ofSource.decided(part);
    } finally {
      ofApplication.decided(part);
    }
  }

  @Override
  public void took(long nanos) {
    try {
      ofSource.took(nanos);
    } finally {
      ofApplication.took(nanos);
    }
  }

  @Override
  public boolean isTimed() {
    return ofSource.isTimed() || ofApplication.isTimed();
  }

  @Override
  public void bucketsHeld(LongSupplier held) {
    both(each -> each.bucketsHeld(held));
  }

  @Override
  public void storeExecuted(int claims, long nanos) {
    both(each -> each.storeExecuted(claims, nanos));
  }

  @Override
  public void regions(Supplier<List<RegionStatus>> status) {
    both(each -> each.regions(status));
  }

  @Override
  public void regionsClosed(Supplier<List<RegionStatus>> status) {
    both(each -> each.regionsClosed(status));
  }

  @Override
  public void struck(String policy) {
    both(each -> each.struck(policy));
  }

  @Override
  public void banned(String policy, boolean isShadow) {
    both(each -> each.banned(policy, isShadow));
  }

  @Override
  public void storeFailed() {
    both(DecisionMetrics::storeFailed);
  }

  @Override
  public void limiterClosed(LongSupplier held) {
    both(each -> each.limiterClosed(held));
  }

  @Override
  public void close() {
    both(DecisionMetrics::close);
  }

  private void both(Consumer<DecisionMetrics> call) {
    try {
      call.accept(ofSource);
    } finally {
      call.accept(ofApplication);
    }
  }
}
