package io.weir.spi;

import io.weir.Key;
import io.weir.Policy;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A policy as a {@link PolicySource} applies it to one request: with the limit of this caller, what
 * the request costs, and whom it counts.
 *
 * <p>Immutable.
 */
public final class AppliedPolicy {
  private final Policy policy;
  private final long limit;
  private final boolean limitGiven;
  private final OptionalLong permits;
  private final Optional<Key> key;

  private AppliedPolicy(
      Policy policy, long limit, boolean limitGiven, OptionalLong permits, Optional<Key> key) {
    this.policy = policy;
    this.limit = limit;
    this.limitGiven = limitGiven;
    this.permits = permits;
    this.key = key;
  }

  /**
   * A policy as it is: under its own limit, at its own cost or what its {@link Policy#costFrom()}
   * finds, counting by what its {@link Policy#by()} says.
   *
   * @param policy the policy; cheap to decide if it is the same object for each request
   * @return the policy, applied
   */
  public static AppliedPolicy of(Policy policy) {
    return new AppliedPolicy(policy, policy.limit(), false, OptionalLong.empty(), Optional.empty());
  }

  /**
   * A policy that doesn't hold for the request: it takes the place of the one of its name, and
   * decides nothing.
   *
   * @param policy the policy, whose name counts
   * @return the policy, switched off
   */
  public static AppliedPolicy off(Policy policy) {
    return new AppliedPolicy(policy, 0, true, OptionalLong.empty(), Optional.empty());
  }

  /**
   * Whether it doesn't hold.
   *
   * @return true only for {@link #off}
   */
  public boolean isOff() {
    return limit == 0;
  }

  /**
   * The same under another limit: the one of the caller's tier, or of its own.
   *
   * @param callerLimit permits per window, 1 to 1,000,000,000
   * @return a copy
   * @throws IllegalArgumentException if the limit is out of range
   */
  public AppliedPolicy withLimit(long callerLimit) {
    if (callerLimit < 1 || callerLimit > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to 1,000,000,000, not " + callerLimit);
    }
    return new AppliedPolicy(policy, callerLimit, true, permits, key);
  }

  /**
   * The same at another cost, in place of what the policy says or finds.
   *
   * @param cost how many permits the request takes, 1 and more
   * @return a copy
   * @throws IllegalArgumentException if the cost is less than 1
   */
  public AppliedPolicy withPermits(long cost) {
    if (cost < 1) {
      throw new IllegalArgumentException("permits must be at least 1, not " + cost);
    }
    return new AppliedPolicy(policy, limit, limitGiven, OptionalLong.of(cost), key);
  }

  /**
   * The same by a key that the source has read itself, in place of what {@link Policy#by()} says.
   *
   * @param caller whom it counts
   * @return a copy
   */
  public AppliedPolicy withKey(Key caller) {
    return new AppliedPolicy(policy, limit, limitGiven, permits, Optional.of(caller));
  }

  /**
   * The same with another policy, as one in shadow mode: limit, cost and key stay where they were
   * given, and are the other policy's where they weren't.
   *
   * @param other the policy to apply
   * @return a copy
   */
  public AppliedPolicy withPolicy(Policy other) {
    return new AppliedPolicy(other, limitGiven ? limit : other.limit(), limitGiven, permits, key);
  }

  /**
   * The policy.
   *
   * @return as it was given
   */
  public Policy policy() {
    return policy;
  }

  /**
   * The limit of this caller.
   *
   * @return permits per window, 1 to 1,000,000,000; 0 if it {@linkplain #isOff() doesn't hold}
   */
  public long limit() {
    return limit;
  }

  /**
   * Whether the source has said the limit.
   *
   * @return true after {@link #withLimit}; if not, one that takes the place of a bound policy
   *     leaves it the limit that settings, tiers and annotation give it
   */
  public boolean isLimitGiven() {
    return limitGiven;
  }

  /**
   * What the request costs, unless the policy finds it by its {@link Policy#costFrom()}.
   *
   * @return permits, 1 and more
   */
  public long permits() {
    return permits.orElse(policy.cost());
  }

  /**
   * Whether the source has said what the request costs.
   *
   * @return true after {@link #withPermits}: the policy's own way to find the cost isn't used then
   */
  public boolean isCostGiven() {
    return permits.isPresent();
  }

  /**
   * Whom it counts.
   *
   * @return nothing if the key is read as {@link Policy#by()} says
   */
  public Optional<Key> key() {
    return key;
  }
}
