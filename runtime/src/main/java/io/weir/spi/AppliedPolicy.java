package io.weir.spi;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Reason;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A policy that a {@link PolicySource} applies to one request, with the limit of the caller, the
 * cost of the request, and the key.
 *
 * <p>Immutable.
 */
public final class AppliedPolicy {
  private final Policy policy;
  private final long limit;
  private final boolean limitGiven;
  private final boolean limitHalved;
  private final OptionalLong permits;
  private final Optional<Key> key;
  private final long used;
  private final @Nullable Refusal refusal;

  /** Refuses the request even if permits are left; until some time, if that is known. */
  private record Refusal(Reason reason, Optional<Instant> until) {}

  private AppliedPolicy(
      Policy policy,
      long limit,
      boolean limitGiven,
      boolean limitHalved,
      OptionalLong permits,
      Optional<Key> key,
      long used,
      @Nullable Refusal refusal) {
    this.policy = policy;
    this.limit = limit;
    this.limitGiven = limitGiven;
    this.limitHalved = limitHalved;
    this.permits = permits;
    this.key = key;
    this.used = used;
    this.refusal = refusal;
  }

  private static AppliedPolicy of(Policy policy, long limit, @Nullable Refusal refusal) {
    return new AppliedPolicy(
        policy, limit, limit == 0, false, OptionalLong.empty(), Optional.empty(), 0, refusal);
  }

  /**
   * Applies a policy unchanged: with its own limit, its own {@link Policy#cost() cost} or that of
   * its {@link Policy#costFrom()}, and the key that its {@link Policy#by()} reads.
   *
   * @param policy the policy; decisions are fastest if it is the same object for each request
   * @return the policy, applied
   */
  public static AppliedPolicy of(Policy policy) {
    return of(policy, policy.limit(), null);
  }

  /**
   * Switches off the policy of the same name for the request.
   *
   * @param policy a policy; only its name matters
   * @return the policy, switched off
   */
  public static AppliedPolicy off(Policy policy) {
    return of(policy, 0, null);
  }

  /**
   * Refuses the request because the limit of the caller isn't known: as if the store were
   * unreachable and the policy's {@code onStoreFailure} CLOSED. No policy charges anything. A
   * policy in shadow mode doesn't refuse.
   *
   * @param policy the policy
   * @return the policy, refusing with {@link Reason#STORE_UNAVAILABLE}
   */
  public static AppliedPolicy unavailable(Policy policy) {
    return of(policy, policy.limit(), new Refusal(Reason.STORE_UNAVAILABLE, Optional.empty()));
  }

  /**
   * Blocks this caller for a time because of abnormal usage, even if permits are left. No policy
   * charges anything. A policy in shadow mode doesn't refuse.
   *
   * @param policy the policy
   * @param until the end of the block, by the application's {@link io.weir.Ticker}
   * @return the policy, refusing with {@link Reason#ABNORMAL_USAGE}
   */
  public static AppliedPolicy blocked(Policy policy, Instant until) {
    return of(policy, policy.limit(), new Refusal(Reason.ABNORMAL_USAGE, Optional.of(until)));
  }

  /**
   * Returns whether it is switched off.
   *
   * @return true only for {@link #off}
   */
  public boolean isOff() {
    return limit == 0;
  }

  /**
   * Returns a copy with another limit: that of the caller's tier, or one of the caller's own.
   *
   * @param callerLimit permits per window, 1 to 1,000,000,000
   * @return a copy
   * @throws IllegalArgumentException if the limit is out of range
   */
  public AppliedPolicy withLimit(long callerLimit) {
    if (callerLimit < 1 || callerLimit > Policy.MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to 1,000,000,000, not " + callerLimit);
    }
    return new AppliedPolicy(policy, callerLimit, true, limitHalved, permits, key, used, refusal);
  }

  /**
   * Returns a copy that halves the limit of the caller: the one of {@link #withLimit}, or, if it
   * replaces a bound policy, the one of settings, tiers and annotation. A request that costs more
   * than the halved burst costs the halved burst.
   *
   * @return a copy
   */
  public AppliedPolicy withHalfLimit() {
    return new AppliedPolicy(policy, limit, limitGiven, true, permits, key, used, refusal);
  }

  /**
   * Returns a copy with another cost, in place of the policy's.
   *
   * @param cost the permits that the request takes, 1 and more
   * @return a copy
   * @throws IllegalArgumentException if the cost is less than 1
   */
  public AppliedPolicy withPermits(long cost) {
    if (cost < 1) {
      throw new IllegalArgumentException("permits must be at least 1, not " + cost);
    }
    return new AppliedPolicy(
        policy, limit, limitGiven, limitHalved, OptionalLong.of(cost), key, used, refusal);
  }

  /**
   * Returns a copy with a key that the source has read itself, in place of {@link Policy#by()}.
   *
   * @param caller the key
   * @return a copy
   */
  public AppliedPolicy withKey(Key caller) {
    return new AppliedPolicy(
        policy, limit, limitGiven, limitHalved, permits, Optional.of(caller), used, refusal);
  }

  /**
   * Returns a copy for a caller that is known to have used some permits of a period. A store that
   * has counted fewer, because it lost data, continues from this number.
   *
   * @param permits the permits that the caller has used at least, 0 and more
   * @return a copy
   * @throws IllegalArgumentException if permits is negative, or more than 0 and the policy's window
   *     isn't a {@linkplain io.weir.store.CalendarWindow#isPeriod() period}
   */
  public AppliedPolicy withUsed(long permits) {
    policy.requireUsed(permits);
    return new AppliedPolicy(
        policy, limit, limitGiven, limitHalved, this.permits, key, permits, refusal);
  }

  /**
   * Returns a copy with another policy, for example one in shadow mode. Limit, cost and key stay if
   * they were given, else those of the other policy apply.
   *
   * @param other the policy to apply
   * @return a copy
   */
  public AppliedPolicy withPolicy(Policy other) {
    return new AppliedPolicy(
        other,
        limitGiven ? limit : other.limit(),
        limitGiven,
        limitHalved,
        permits,
        key,
        used,
        refusal);
  }

  /**
   * Returns the policy.
   *
   * @return the policy
   */
  public Policy policy() {
    return policy;
  }

  /**
   * Returns the limit of the caller.
   *
   * @return permits per window before they are {@linkplain #isLimitHalved() halved}, 1 to
   *     1,000,000,000; 0 if it is {@linkplain #isOff() switched off}
   */
  public long limit() {
    return limit;
  }

  /**
   * Returns whether the source has set the limit.
   *
   * @return true after {@link #withLimit}; if false and it replaces a bound policy, the limit of
   *     settings, tiers and annotation applies
   */
  public boolean isLimitGiven() {
    return limitGiven;
  }

  /**
   * Returns whether the limit is halved.
   *
   * @return true after {@link #withHalfLimit}
   */
  public boolean isLimitHalved() {
    return limitHalved;
  }

  /**
   * Halves a limit if {@linkplain #isLimitHalved() limits are halved}.
   *
   * @param usual the limit that the caller would have, 1 and more
   * @return half of it, and at least 1; the same limit if limits aren't halved
   */
  public long limitFor(long usual) {
    return limitHalved ? Math.max(1, usual / 2) : usual;
  }

  /**
   * Returns the cost of the request, unless the policy has a {@link Policy#costFrom()}.
   *
   * @return permits, 1 and more
   */
  public long permits() {
    return permits.orElse(policy.cost());
  }

  /**
   * Returns whether the source has set the cost.
   *
   * @return true after {@link #withPermits}; the policy's own cost is then ignored
   */
  public boolean isCostGiven() {
    return permits.isPresent();
  }

  /**
   * Returns the key that the source has read.
   *
   * @return the key; empty if {@link Policy#by()} applies
   */
  public Optional<Key> key() {
    return key;
  }

  /**
   * Returns the permits that the caller is known to have used in the period at least.
   *
   * @return permits, 0 and more
   */
  public long used() {
    return used;
  }

  /**
   * Returns the reason for which it refuses the request even if permits are left.
   *
   * @return the reason; empty unless it is {@link #unavailable} or {@link #blocked}
   */
  public Optional<Reason> refusal() {
    return refusal == null ? Optional.empty() : Optional.of(refusal.reason());
  }

  /**
   * Returns the end of the block.
   *
   * @return the time; empty unless it is {@link #blocked}
   */
  public Optional<Instant> refusedUntil() {
    return refusal == null ? Optional.empty() : refusal.until();
  }
}
