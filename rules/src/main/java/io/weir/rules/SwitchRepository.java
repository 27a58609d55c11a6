package io.weir.rules;

import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;

/**
 * Reads and changes switches: the rows of {@code switches}.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface SwitchRepository {
  /**
   * Returns all switches that haven't ended.
   *
   * @return sorted by policy
   */
  List<PolicySwitch> all();

  /**
   * Sets a switch, in place of an existing one of the policy.
   *
   * @param wanted the switch
   * @throws InvalidRuleException if it has no end, one in the past, or one more than 30 days ahead
   */
  void set(PolicySwitch wanted);

  /**
   * Ends a switch before its time.
   *
   * @param policy the name, or {@code *}
   * @param author the author, for the history
   * @return whether there was one
   */
  boolean end(String policy, String author);
}
