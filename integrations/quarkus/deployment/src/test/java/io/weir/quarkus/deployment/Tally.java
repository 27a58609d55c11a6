package io.weir.quarkus.deployment;

import io.weir.Decision;
import io.weir.spi.DecisionMetrics;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Counts decisions in place of Quarkus' registry. */
@Singleton
public class Tally implements DecisionMetrics {
  static final AtomicLong DECISIONS = new AtomicLong();

  @Override
  public void decided(Decision part) {
    DECISIONS.incrementAndGet();
  }

  @Override
  public void took(long nanos) {}

  @Override
  public void bucketsHeld(LongSupplier held) {}
}
