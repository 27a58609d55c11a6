package io.weir.spi;

import io.weir.Key;
import io.weir.Policy;
import io.weir.Reason;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

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
  private final boolean limitHalved;
  private final OptionalLong permits;
  private final Optional<Key> key;
  private final long used;
  private final @Nullable Refusal refusal;

  /** Refused whatever is left; until when, if that is known. */
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
   * A policy as it is: under its own limit, at its own cost or what its {@link Policy#costFrom()}
   * finds, counting by what its {@link Policy#by()} says.
   *
   * @param policy the policy; cheap to decide if it is the same object for each request
   * @return the policy, applied
   */
  public static AppliedPolicy of(Policy policy) {
    return of(policy, policy.limit(), null);
  }

  /**
   * A policy that doesn't hold for the request: it takes the place of the one of its name, and
   * decides nothing.
   *
   * @param policy the policy, whose name counts
   * @return the policy, switched off
   */
  public static AppliedPolicy off(Policy policy) {
    return of(policy, 0, null);
  }

  /**
   * A policy of which it isn't known what this caller may use: the request is refused as if the
   * store were away and the policy CLOSED, and nothing is charged by any policy. One in shadow mode
   * refuses nobody.
   *
   * @param policy the policy
   * @return the policy, refusing with {@link Reason#STORE_UNAVAILABLE}
   */
  public static AppliedPolicy unavailable(Policy policy) {
    return of(policy, policy.limit(), new Refusal(Reason.STORE_UNAVAILABLE, Optional.empty()));
  }

  /**
   * A policy that refuses this caller for a time, whatever it has left, since its usage is
   * abnormal. Nothing is charged by any policy. One in shadow mode refuses nobody.
   *
   * @param policy the policy
   * @param until when to come again; by the application's time
   * @return the policy, refusing with {@link Reason#ABNORMAL_USAGE}
   */
  public static AppliedPolicy blocked(Policy policy, Instant until) {
    return of(policy, policy.limit(), new Refusal(Reason.ABNORMAL_USAGE, Optional.of(until)));
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
    return new AppliedPolicy(policy, callerLimit, true, limitHalved, permits, key, used, refusal);
  }

  /**
   * The same under half the limit that the caller would have: half of what {@link #withLimit} says,
   * or, in the place of a bound policy, of what settings, tiers and annotation give it. A request
   * that costs more than this leaves at once costs just that.
   *
   * @return a copy
   */
  public AppliedPolicy withHalfLimit() {
    return new AppliedPolicy(policy, limit, limitGiven, true, permits, key, used, refusal);
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
    return new AppliedPolicy(
        policy, limit, limitGiven, limitHalved, OptionalLong.of(cost), key, used, refusal);
  }

  /**
   * The same by a key that the source has read itself, in place of what {@link Policy#by()} says.
   *
   * @param caller whom it counts
   * @return a copy
   */
  public AppliedPolicy withKey(Key caller) {
    return new AppliedPolicy(
        policy, limit, limitGiven, limitHalved, permits, Optional.of(caller), used, refusal);
  }

  /**
   * The same for a caller of whom it is known what it has used in a period at least. A store that
   * has counted less, as it has lost its data, counts so many from then on.
   *
   * @param permits those that the caller is known to have used, 0 and more
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
   * The same with another policy, as one in shadow mode: limit, cost and key stay where they were
   * given, and are the other policy's where they weren't.
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
   * @return permits per window before it is {@linkplain #isLimitHalved() halved}, 1 to
   *     1,000,000,000; 0 if it {@linkplain #isOff() doesn't hold}
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
   * Whether half the limit holds.
   *
   * @return true after {@link #withHalfLimit}
   */
  public boolean isLimitHalved() {
    return limitHalved;
  }

  /**
   * What holds in the place of a limit.
   *
   * @param usual the limit that the caller would have, 1 and more
   * @return half of it, and at least 1, if it {@linkplain #isLimitHalved() is halved}; else just it
   */
  public long limitFor(long usual) {
    return limitHalved ? Math.max(1, usual / 2) : usual;
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

  /**
   * What the caller is known to have used in the period at least.
   *
   * @return permits, 0 and more
   */
  public long used() {
    return used;
  }

  /**
   * Why it refuses the request whatever is left.
   *
   * @return nothing unless it is {@link #unavailable} or {@link #blocked}
   */
  public Optional<Reason> refusal() {
    return refusal == null ? Optional.empty() : Optional.of(refusal.reason());
  }

  /**
   * Until when it refuses the request whatever is left.
   *
   * @return nothing unless it is {@link #blocked}
   */
  public Optional<Instant> refusedUntil() {
    return refusal == null ? Optional.empty() : refusal.until();
  }
}
