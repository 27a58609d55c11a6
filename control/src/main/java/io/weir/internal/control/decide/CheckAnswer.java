package io.weir.internal.control.decide;

import io.weir.internal.control.resource.Described;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was decided.
 *
 * @param allowed whether the request may go on
 * @param limit the closest policy's, for this caller
 * @param remaining what is left of it
 * @param resetTime when more is there, in seconds since the epoch, rounded up
 * @param retryAfter when to come back, in seconds, rounded up; null if it is allowed
 * @param degraded whether it was decided without the store, or without all rules
 * @param policies each policy that decided; none if nothing limits the request
 */
public record CheckAnswer(
    boolean allowed,
    @Described("The closest policy's limit for this caller") long limit,
    long remaining,
    @Described("When more is there, in seconds since the epoch, rounded up") long resetTime,
    @Described("Seconds until it is worth another try; null if it is allowed")
        @Nullable Long retryAfter,
    @Described("Decided without the store, or without all rules") boolean degraded,
    List<PolicyAnswer> policies) {
  /** What is left where nothing limits: the largest number of clients that count in 32 bits. */
  private static final long UNLIMITED = Integer.MAX_VALUE;

  /**
   * One policy's part.
   *
   * @param name its name
   * @param allowed whether it admits the request
   * @param limit its limit for this caller
   * @param remaining what is left of it
   * @param resetTime when more is there, in seconds since the epoch, rounded up
   * @param wouldRefuse whether it only measures, and would have refused the request
   */
  public record PolicyAnswer(
      String name,
      boolean allowed,
      long limit,
      long remaining,
      long resetTime,
      @Described("It only measures (SHADOW), and would have refused the request")
          boolean wouldRefuse) {}

  /**
   * Takes the policies as they are.
   *
   * @param allowed see the record
   * @param limit see the record
   * @param remaining see the record
   * @param resetTime see the record
   * @param retryAfter see the record
   * @param degraded see the record
   * @param policies see the record
   */
  public CheckAnswer {
    policies = List.copyOf(policies);
  }

  /** What is told of a request that nothing limits. */
  static CheckAnswer unlimited() {
    return new CheckAnswer(true, UNLIMITED, UNLIMITED, 0, null, false, List.of());
  }
}
