package io.weir;

import java.time.Duration;
import java.util.List;

/**
 * The decision for one request: whether it is admitted, the permits left, and when to retry.
 *
 * <p>If several policies decided, there is a {@linkplain #parts() part} for each, and the decision
 * itself is that of the closest policy: the one that refused for the longest time, else the one
 * with the smallest share left. Policies in shadow mode are considered only if there are no others.
 *
 * <p>Safe for concurrent use. Made by a {@link RateLimiter}; not for implementation by others.
 */
public interface Decision {
  /**
   * Returns whether the request is admitted.
   *
   * @return false if a policy refused
   */
  boolean admitted();

  /**
   * Returns the outcome.
   *
   * @return the outcome of the closest policy
   */
  Outcome outcome();

  /**
   * Returns the reason.
   *
   * @return the reason of the closest policy
   */
  Reason reason();

  /**
   * Returns whether it was decided without the store, because it can't be reached, or without the
   * policies of a {@link io.weir.spi.PolicySource}, because it failed or was late.
   *
   * @return true if any part was, or if policies may be missing
   */
  boolean degraded();

  /**
   * Returns the policy that decided.
   *
   * @return the closest one
   */
  Policy policy();

  /**
   * Returns the key that it counted by.
   *
   * @return the key of the closest policy
   */
  Key key();

  /**
   * Returns the limit of this caller: the policy's, or that of its tier.
   *
   * @return permits per window, 1 and more
   */
  long limit();

  /**
   * Returns the permits that the caller may still take now, up to the limit.
   *
   * @return permits, 0 and more
   */
  long remaining();

  /**
   * Returns the time until more than {@link #remaining()} permits are available if none are taken:
   * until the end of a fixed window, or the next permit of a bucket.
   *
   * @return zero if the bucket is full
   */
  Duration resetAfter();

  /**
   * Returns the time until the same request would be admitted if there were no others.
   *
   * @return zero unless refused; if several policies refused, the longest time. If all policies are
   *     in shadow mode, the time that they would have given. If it is {@linkplain #neverAdmitted()
   *     never admitted}, 142 years
   */
  Duration retryAfter();

  /**
   * Returns whether the same request is refused however long the caller waits: it costs more
   * permits than the caller's limit, or burst, ever has ({@link Reason#COST_ABOVE_LIMIT}), or an
   * access list denies the caller ({@link Reason#DENIED}). No response has a time to retry after.
   *
   * @return false if the request is admitted, or a retry can succeed; a higher limit, or another
   *     list, changes it
   */
  default boolean neverAdmitted() {
    return !admitted() && (reason() == Reason.COST_ABOVE_LIMIT || reason() == Reason.DENIED);
  }

  /**
   * Returns the permits that the request took from the bucket.
   *
   * @return 0 if it was refused or has parts
   */
  long permits();

  /**
   * Returns whether its permits have been refunded: another policy refused the request later, or
   * its outcome doesn't count.
   *
   * @return false if it took none or has parts, each of which has its own value
   */
  boolean refunded();

  /**
   * Describes the decision in one line for logs and support tickets: outcome and reason, policy,
   * permits left, limit, times, and all parts. Never identifies the caller.
   *
   * @return a line of text for people; its form may change
   */
  String describe();

  /**
   * Returns the decision of each policy.
   *
   * @return in the order of the request; this one alone if a single policy decided
   */
  List<Decision> parts();
}
