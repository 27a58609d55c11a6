package io.weir.spi;

import io.weir.Policy;
import java.util.Optional;

/**
 * The tier of one caller: a name that a policy may list, or a limit of its own.
 *
 * <p>Immutable.
 */
public final class CallerTier {
  private static final CallerTier NONE = new CallerTier("", 0);

  private final String name;
  private final long limit;

  private CallerTier(String name, long limit) {
    this.name = name;
    this.limit = limit;
  }

  /**
   * No tier: the policy's own limit holds.
   *
   * @return always the same
   */
  public static CallerTier none() {
    return NONE;
  }

  /**
   * A tier by name; the policy's own limit holds if it doesn't list it.
   *
   * @param name the tier's name
   * @return the tier
   */
  public static CallerTier named(String name) {
    return new CallerTier(name, 0);
  }

  /**
   * A limit of the caller's own.
   *
   * <p>Nothing checks it at start-up: a request that costs more permits than this limit has at once
   * is never admitted, and told each time to come back a window later; cheaper requests still pass.
   * So give no limit below the policy's {@linkplain Policy#cost() cost} and {@code
   * weir.cost.<METHOD>}, unless that is what you want.
   *
   * @param limit permits per window; values outside of 1 to 1,000,000,000 are brought into the
   *     range
   * @return the tier
   */
  public static CallerTier ofLimit(long limit) {
    return new CallerTier("", Math.max(1, Math.min(Policy.MAX_LIMIT, limit)));
  }

  /**
   * Whether this is no tier at all.
   *
   * @return true only for {@link #none()}
   */
  public boolean isNone() {
    return limit == 0 && name.isEmpty();
  }

  /**
   * The name of the tier.
   *
   * @return what {@link #named} was given; nothing for {@link #none()} and a limit of the caller's
   *     own
   */
  public Optional<String> name() {
    return name.isEmpty() ? Optional.empty() : Optional.of(name);
  }

  /**
   * The limit of the caller under a policy.
   *
   * @param policy the policy about to decide
   * @return permits per window, 1 to 1,000,000,000
   */
  public long limitUnder(Policy policy) {
    if (limit > 0) {
      return limit;
    }
    return name.isEmpty() ? policy.limit() : policy.tiers().getOrDefault(name, policy.limit());
  }
}
