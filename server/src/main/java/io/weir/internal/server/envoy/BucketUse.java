package io.weir.internal.server.envoy;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.annotation.OnStoreFailure;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits that a request wants of one bucket, and the decision about them. Descriptors with the
 * same bucket share one. Used by one thread at a time.
 */
final class BucketUse {
  private final Policy policy;
  private final Key key;
  private final Supplier<OnStoreFailure> byDefault;
  private long limit;
  private long permits;
  private long reported;

  private boolean over;
  private boolean unavailable;
  private long remaining;
  private Duration reset = Duration.ZERO;
  private @Nullable Decision taken;

  BucketUse(Policy policy, Key key, long limit, Supplier<OnStoreFailure> byDefault) {
    this.policy = policy;
    this.key = key;
    this.byDefault = byDefault;
    this.limit = limit;
  }

  boolean isOf(Policy otherPolicy, Key otherKey) {
    return policy.name().equals(otherPolicy.name()) && key.equals(otherKey);
  }

  /**
   * Adds a descriptor's hits. More than one hit may report past usage.
   *
   * @param hits 0 or more
   * @param underLimit the descriptor's limit; the smallest applies
   */
  void add(long hits, long underLimit) {
    permits += hits;
    reported += hits > 1 ? hits : 0;
    limit = Math.min(limit, underLimit);
  }

  PermitRequest take() {
    return new PermitRequest(policy, key, permits, limit);
  }

  /** Makes the request that takes nothing, for the permits that remain. */
  PermitRequest peek() {
    return new PermitRequest(policy, key, 0, limit);
  }

  /**
   * Makes the request that takes nothing, to determine whether the limit is exceeded: under a limit
   * raised by one permit, nothing remains only then.
   */
  PermitRequest peekBeyond() {
    return new PermitRequest(policy, key, 0, Math.min(Policy.MAX_LIMIT, limit + 1));
  }

  void applyTake(Decision part) {
    answered(part, part.remaining());
    over = part.outcome() == Outcome.REFUSED || part.outcome() == Outcome.SHADOW_REFUSED;
    unavailable = part.outcome() == Outcome.REFUSED && part.reason() == Reason.STORE_UNAVAILABLE;
    taken = part.permits() > 0 ? part : null;
  }

  void applyPeek(Decision part) {
    answered(part, part.remaining());
    over = part.remaining() < permits;
    unavailable = isAway(part);
  }

  void applyPeekBeyond(Decision part) {
    answered(part, Math.max(0, part.remaining() - 1));
    over = part.remaining() == 0;
    unavailable = isAway(part);
  }

  private void answered(Decision part, long left) {
    remaining = left;
    reset = part.resetAfter();
  }

  // A peek is always admitted, so its reason doesn't show it.
  private boolean isAway(Decision part) {
    return part.degraded()
        && part.remaining() == 0
        && withoutStore() == OnStoreFailure.CLOSED
        && !policy.shadow();
  }

  private OnStoreFailure withoutStore() {
    OnStoreFailure own = policy.onStoreFailure();
    return own == OnStoreFailure.DEFAULT ? byDefault.get() : own;
  }

  /**
   * Returns the charge after the decision, for past usage that hasn't been counted.
   *
   * @return null if its permits were taken, or no descriptor had more than one hit
   */
  @Nullable PermitRequest debt(boolean refused) {
    return reported == 0 || taken != null && !refused
        ? null
        : new PermitRequest(policy, key, Math.min(Policy.MAX_LIMIT, reported), limit);
  }

  void markRefunded() {
    if (taken != null) {
      remaining = Math.min(limit, remaining + taken.permits());
    }
  }

  void markCharged(PermitRequest debt) {
    remaining = Math.max(0, remaining - debt.permits());
  }

  boolean isOver() {
    return over;
  }

  /** Returns whether the limit is exceeded however long the caller waits. */
  boolean isNever() {
    return over && permits > limit;
  }

  /** Returns whether the store is away and the policy refuses without it. */
  boolean isUnavailable() {
    return unavailable;
  }

  long remaining() {
    return remaining;
  }

  Duration reset() {
    return reset;
  }
}
