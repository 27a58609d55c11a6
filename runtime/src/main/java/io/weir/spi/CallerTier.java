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
   * Returns no tier: the policy's own limit applies.
   *
   * @return no tier
   */
  public static CallerTier none() {
    return NONE;
  }

  /**
   * Makes a tier by name. The policy's own limit applies if the policy doesn't list the tier.
   *
   * @param name the tier's name
   * @return the tier
   */
  public static CallerTier named(String name) {
    return new CallerTier(name, 0);
  }

  /**
   * Makes a tier with a limit of the caller's own.
   *
   * <p>The limit isn't checked at start-up: a request that costs more than the burst of this limit
   * is never admitted, and its {@code Retry-After} is always a window; cheaper requests still pass.
   * So give no limit below the policy's {@linkplain Policy#cost() cost} and {@code
   * weir.cost.<METHOD>}, unless you want this.
   *
   * @param limit permits per window; values outside of 1 to 1,000,000,000 are brought into the
   *     range
   * @return the tier
   */
  public static CallerTier ofLimit(long limit) {
    return new CallerTier("", Math.max(1, Math.min(Policy.MAX_LIMIT, limit)));
  }

  /**
   * Returns whether this is no tier at all.
   *
   * @return true only for {@link #none()}
   */
  public boolean isNone() {
    return limit == 0 && name.isEmpty();
  }

  /**
   * Returns the name of the tier.
   *
   * @return the name; empty for {@link #none()} and for a limit of the caller's own
   */
  public Optional<String> name() {
    return name.isEmpty() ? Optional.empty() : Optional.of(name);
  }

  /**
   * Returns the limit of the caller under a policy.
   *
   * @param policy the policy that is about to decide
   * @return permits per window, 1 to 1,000,000,000
   */
  public long limitUnder(Policy policy) {
    if (limit > 0) {
      return limit;
    }
    return name.isEmpty() ? policy.limit() : policy.tiers().getOrDefault(name, policy.limit());
  }

  /**
   * Returns the policy by which to decide requests of the caller, under {@link #limitUnder}.
   *
   * @param policy the policy that is about to decide
   * @return the policy, or what it is {@linkplain Policy#forTier for the tier}
   */
  public Policy policyUnder(Policy policy) {
    return name.isEmpty() ? policy : policy.forTier(name);
  }
}
