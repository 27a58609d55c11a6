package io.weir.internal.key;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Warns once if what a policy counts by was missing in all of its first requests. Nobody would
 * notice otherwise, since such requests count by address.
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
   * @param patience after how many requests in vain it is said
   * @param warning what is said
   */
  public MissingInputWarning(int patience, Supplier<String> warning) {
    this.patience = patience;
    this.warning = warning;
  }

  /**
   * Takes note of a request.
   *
   * @param present whether it had what the policy goes by
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
