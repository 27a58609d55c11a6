package io.weir;

import java.time.Duration;
import java.util.List;

/**
 * The answer for one request: whether it is admitted, what is left, and when to come back.
 *
 * <p>A request that was decided by several policies has a {@linkplain #parts() part} for each; the
 * decision itself then speaks for the closest of them: the one that refused for longest, else the
 * one with the smallest share left. Policies in shadow mode speak only if there are no others.
 *
 * <p>Safe for concurrent use. Made by a {@link RateLimiter}; not for implementation by others.
 */
public interface Decision {
  /**
   * Whether the request may go on.
   *
   * @return false if a policy refused
   */
  boolean admitted();

  /**
   * What became of the request.
   *
   * @return the outcome of the closest policy
   */
  Outcome outcome();

  /**
   * Why.
   *
   * @return the reason of the closest policy
   */
  Reason reason();

  /**
   * Whether it was decided without the store, because that can't be reached, or without the
   * policies of a {@link io.weir.spi.PolicySource}, because that failed or was late.
   *
   * @return true if any part was, or if policies may be missing
   */
  boolean degraded();

  /**
   * The policy that decided.
   *
   * @return the closest one
   */
  Policy policy();

  /**
   * Whom it counted.
   *
   * @return the key of the closest policy
   */
  Key key();

  /**
   * The limit of this caller: the policy's, or that of its tier.
   *
   * @return permits per window, 1 and more
   */
  long limit();

  /**
   * What the caller may still take now, up to the limit.
   *
   * @return permits, 0 and more
   */
  long remaining();

  /**
   * How long until more than {@link #remaining()} permits are there, if nobody takes any: the end
   * of a fixed window, the next permit of a bucket.
   *
   * @return zero if the bucket is full
   */
  Duration resetAfter();

  /**
   * How long until the same request, alone, is admitted.
   *
   * @return zero unless refused; of several policies that refused, the longest. Where all policies
   *     are in shadow mode, what they would have said
   */
  Duration retryAfter();

  /**
   * How many permits the request took from the bucket.
   *
   * @return 0 if it was refused or has parts
   */
  long permits();

  /**
   * Whether the permits that it took were given back since: the request was refused by another
   * policy in the end, or its outcome doesn't count.
   *
   * @return false if it took none or has parts, of which each tells by itself
   */
  boolean refunded();

  /**
   * The decision in a line for logs and support tickets: outcome and reason, policy, what is left
   * of which limit, the times, and each part of several. Never tells whose request it was.
   *
   * @return a line of text for people; its form may change
   */
  String describe();

  /**
   * The decision of each policy.
   *
   * @return in the order of the request; this one alone if a single policy decided
   */
  List<Decision> parts();
}
