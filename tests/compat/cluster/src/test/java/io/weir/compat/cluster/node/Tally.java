package io.weir.compat.cluster.node;

import io.weir.Decision;
import io.weir.spi.DecisionMetrics;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Counts decisions. Safe for concurrent use. */
final class Tally implements DecisionMetrics {
  private final AtomicInteger decided = new AtomicInteger();
  private final AtomicInteger degraded = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final LongAdder settled = new LongAdder();
  private volatile LongSupplier held = () -> 0;

  @Override
  public void decided(Decision part) {
    decided.incrementAndGet();
    if (part.degraded()) {
      degraded.incrementAndGet();
    }
  }

  @Override
  public void took(long nanos) {}

  @Override
  public void bucketsHeld(LongSupplier where) {
    held = where;
  }

  @Override
  public void storeExecuted(int claims, long nanos) {
    settled.add(claims);
  }

  @Override
  public void storeFailed() {
    failed.incrementAndGet();
  }

  /** A line for each number. */
  List<String> lines() {
    return List.of(
        "decided " + decided,
        "degraded " + degraded,
        "storeFailed " + failed,
        "settled " + settled,
        "held " + held.getAsLong());
  }
}
