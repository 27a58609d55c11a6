package io.weir.spi;

import io.weir.Decision;
import java.util.function.LongSupplier;

/** Measures nothing. */
final class NoMetrics implements DecisionMetrics {
  static final DecisionMetrics INSTANCE = new NoMetrics();

  private NoMetrics() {}

  @Override
  public void decided(Decision part) {}

  @Override
  public void took(long nanos) {}

  @Override
  public boolean isTimed() {
    return false;
  }

  @Override
  public void bucketsHeld(LongSupplier held) {}
}
