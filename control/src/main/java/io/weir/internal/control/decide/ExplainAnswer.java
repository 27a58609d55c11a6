package io.weir.internal.control.decide;

import io.weir.internal.control.resource.Described;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What limits a request, why, and what would be decided.
 *
 * @param caller who it is and how that was found
 * @param tier its tier and where that comes from
 * @param decision what a check would answer now
 * @param policies each policy that could hold, those that do first
 */
public record ExplainAnswer(
    String caller,
    String tier,
    @Described("What a check would answer now") CheckAnswer decision,
    List<PolicyExplanation> policies) {
  /**
   * One policy or rule.
   *
   * @param name its name
   * @param holds whether it decides the request
   * @param limit permits per window that hold for the caller; 0 if it doesn't hold
   * @param window the window as it is written
   * @param source where the limit comes from
   * @param reason why it holds, or why not
   * @param allowed whether it would admit the request; null if it doesn't hold
   * @param remaining what is left; null if it doesn't hold, or the counts couldn't be read
   * @param resetTime when more is there, in seconds since the epoch; null as remaining
   * @param unread whether it holds and its counts couldn't be read
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
      @Described("It holds, and its counts couldn't be read") boolean unread) {}

  /**
   * Takes the policies as they are.
   *
   * @param caller see the record
   * @param tier see the record
   * @param decision see the record
   * @param policies see the record
   */
  public ExplainAnswer {
    policies = List.copyOf(policies);
  }
}
