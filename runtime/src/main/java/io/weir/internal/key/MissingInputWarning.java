package io.weir.internal.key;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Warns once if a policy's input was missing in all of its first requests, which would otherwise go
 * unnoticed, since such requests count by address.
 *
 * <p>Costs a volatile read once the input was seen. Safe for concurrent use.
 */
public final class MissingInputWarning {
  private static final System.Logger LOG = System.getLogger("io.weir.internal.key");

  private final int patience;
  private final Supplier<String> warning;
  private final AtomicInteger missed = new AtomicInteger();
  private volatile boolean settled;

  /**
   * Starts before the first request.
   *
   * @param patience the number of requests without the input before the warning
   */
  public MissingInputWarning(int patience, Supplier<String> warning) {
    this.patience = patience;
    this.warning = warning;
  }

  /**
   * Records a request.
   *
   * @param present whether it had the input
   */
  public void note(boolean present) {
    if (!settled) {
      watch(present);
    }
  }

  private void watch(boolean present) {
    if (present) {
      settled = true;
    } else if (missed.incrementAndGet() == patience) {
      settled = true;
      LOG.log(System.Logger.Level.WARNING, warning);
    }
  }
}
