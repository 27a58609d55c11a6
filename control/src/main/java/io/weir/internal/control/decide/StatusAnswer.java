package io.weir.internal.control.decide;

import io.weir.internal.control.resource.Described;
import java.util.List;

/**
 * What a user has left.
 *
 * @param userId the user
 * @param tier its tier
 * @param rules the rules that hold for it and count it
 * @param incomplete whether rules are missing or may be wrong, because the store is slow or away
 */
public record StatusAnswer(
    String userId,
    String tier,
    List<RuleStatus> rules,
    @Described("Rules are missing or may be wrong: the store is slow, or can't be reached")
        boolean incomplete) {
  /**
   * One rule.
   *
   * @param endpoint the rule's pattern
   * @param limit the user's limit
   * @param remaining what is left of it
   * @param resetTime when more is there, in seconds since the epoch, rounded up
   */
  public record RuleStatus(
      @Described("The rule's pattern") String endpoint,
      long limit,
      long remaining,
      long resetTime) {}

  /**
   * Takes the rules as they are.
   *
   * @param userId see the record
   * @param tier see the record
   * @param rules see the record
   * @param incomplete see the record
   */
  public StatusAnswer {
    rules = List.copyOf(rules);
  }
}
