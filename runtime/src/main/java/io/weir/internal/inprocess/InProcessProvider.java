package io.weir.internal.inprocess;

import io.weir.Ticker;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Opens {@link InProcessStore}s, for {@code weir.store=inprocess:}.
 *
 * <p>Reads {@code weir.store.max-buckets}, 1 to 100,000,000, by default 100,000.
 *
 * <p>Safe for concurrent use.
 */
public final class InProcessProvider implements StoreProvider {
  private static final String SCHEME = "inprocess";
  private static final String MAX_BUCKETS = "weir.store.max-buckets";
  private static final int DEFAULT_MAX_BUCKETS = 100_000;
  private static final int MAX_MAX_BUCKETS = 100_000_000;

  /** For {@link java.util.ServiceLoader}. */
  public InProcessProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of(SCHEME);
  }

  @Override
  public PermitStore open(URI address, UnaryOperator<String> setting, Ticker ticker) {
    return new InProcessStore(ticker, maxBuckets(setting.apply(MAX_BUCKETS).strip()));
  }

  private static int maxBuckets(String text) {
    if (text.isEmpty()) {
      return DEFAULT_MAX_BUCKETS;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= 1 && value <= MAX_MAX_BUCKETS) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Rejected below, like a number out of range.
    }
    throw new IllegalArgumentException(
        MAX_BUCKETS + " must be a whole number from 1 to 100000000, not '" + text + "'");
  }
}
