package io.weir.internal.control.decide;

import io.weir.internal.control.resource.Described;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a request, their reasons, and what would be decided.
 *
 * @param caller the caller, and how it was determined
 * @param tier the caller's tier, and its source
 * @param decision what a check would answer now
 * @param policies the policies that could apply; those that do are first
 */
public record ExplainAnswer(
    String caller,
    String tier,
    @Described("What a check would answer now") CheckAnswer decision,
    List<PolicyExplanation> policies) {
  /**
   * The explanation of one policy or rule.
   *
   * @param name its name
   * @param holds whether it applies to the request
   * @param limit permits per window for the caller; 0 if it doesn't apply
   * @param window as it is written in the rule
   * @param source where the limit comes from
   * @param reason why it applies, or why not
   * @param allowed whether it would admit the request; null if it doesn't apply
   * @param remaining the permits left; null if it doesn't apply, or its counts couldn't be read
   * @param resetTime when more permits are available, in seconds since 1970; null like remaining
   * @param unread whether it applies, but its counts couldn't be read
   */
  public record PolicyExplanation(
      String name,
      boolean holds,
      long limit,
      String window,
      String source,
      String reason,
      @Nullable Boolean allowed,
      @Nullable Long remaining,
      @Nullable Long resetTime,
      @Described("Whether it applies, but its counts couldn't be read") boolean unread) {}

  /** Copies the policies. */
  public ExplainAnswer {
    policies = List.copyOf(policies);
  }
}
