package io.weir.internal.control.decide;

import io.weir.internal.control.resource.Described;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a check.
 *
 * @param policies the policies that decided; empty if nothing limits the request
 */
public record CheckAnswer(
    boolean allowed,
    @Described(
            "Whether any policy limits the request. If false and degraded, an unknown rule may"
                + " limit it")
        boolean matched,
    @Described("The closest policy's limit for this caller; null if none limits the request")
        @Nullable Long limit,
    @Described("The permits left of it; null if none limits the request") @Nullable Long remaining,
    @Described(
            "When more permits are available, in seconds since 1970, rounded up; 0 if no policy"
                + " limits the request")
        long resetTime,
    @Described(
            "The seconds to wait before a retry; null if the request is admitted, or never will be")
        @Nullable Long retryAfter,
    @Described(
            "Whether the request is refused even after a wait, since it costs more permits than"
                + " the limit ever allows")
        boolean neverAdmitted,
    @Described(
            "Whether an access list denies the caller. Limit and remaining permits are 0 then, and"
                + " only a change of the list helps")
        boolean denied,
    @Described("Whether the caller is banned: until the time to retry no permits help")
        boolean banned,
    @Described("Whether it was decided without the store, or without all rules") boolean degraded,
    List<PolicyAnswer> policies) {
  /** The permits left without any limit: the largest number that fits into 32 bits. */
  private static final long UNLIMITED = Integer.MAX_VALUE;

  /**
   * The part of one policy.
   *
   * @param resetTime when more permits are available, in seconds since 1970, rounded up
   */
  public record PolicyAnswer(
      String name,
      boolean allowed,
      long limit,
      long remaining,
      long resetTime,
      @Described("Whether the policy only measures (SHADOW), and would have refused the request")
          boolean wouldRefuse) {}

  public CheckAnswer {
    policies = List.copyOf(policies);
  }

  /**
   * Returns a limit or the permits left for protocols that know no null: 2147483647 if no policy
   * limits the request.
   */
  public static long orUnlimited(@Nullable Long permits) {
    return permits == null ? UNLIMITED : permits;
  }
}
