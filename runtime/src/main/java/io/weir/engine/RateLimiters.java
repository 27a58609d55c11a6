package io.weir.engine;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.store.PermitStore;
import java.util.function.UnaryOperator;

/**
 * Makes rate limiters.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimiters {
  private RateLimiters() {}

  /**
   * A limiter that counts in this process, with the machine's clock.
   *
   * @return a limiter that the caller closes
   */
  public static RateLimiter inProcess() {
    return builder().build();
  }

  /**
   * Starts a limiter of own parts; each has its default until it is given.
   *
   * @return a builder
   */
  public static RateLimiterBuilder builder() {
    return new RateLimiterBuilder();
  }

  /**
   * Opens the store that an address names, for who wants to know it before the limiter is made.
   *
   * @param address what {@code weir.store} says, {@code inprocess:} for example
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @param ticker the source of time
   * @return a store that the caller closes, or the limiter that it is given to
   * @throws IllegalArgumentException if there is no store for the address, its address or settings
   *     are malformed, or it needs a library that isn't on the class path
   */
  public static PermitStore open(String address, UnaryOperator<String> setting, Ticker ticker) {
    return Stores.open(address, setting, ticker);
  }
}
