package io.weir.metrics;

import io.weir.Decision;
import java.util.function.LongSupplier;

/** Takes note of nothing. */
enum NoMetrics implements DecisionMetrics {
  INSTANCE;

  @Override
  public void decided(Decision part) {}

  @Override
  public void took(long nanos) {}

  @Override
  public void bucketsHeld(LongSupplier held) {}
}
