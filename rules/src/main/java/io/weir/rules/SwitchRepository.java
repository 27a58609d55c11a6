package io.weir.rules;

import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;

/**
 * The rows of {@code switches}.
 *
 * <p>Reads and writes the database in the thread of the caller, and throws {@link
 * RulesUnavailableException} where it can't. Safe for concurrent use.
 */
public interface SwitchRepository {
  /**
   * All switches that haven't ended.
   *
   * @return by policy
   */
  List<PolicySwitch> all();

  /**
   * Sets a switch, in place of the one that the policy may have.
   *
   * @param wanted what to switch, until when and why
   * @throws InvalidRuleException if it has no end, one in the past, or one more than 30 days ahead
   */
  void set(PolicySwitch wanted);

  /**
   * Ends a switch before its time.
   *
   * @param policy the name, or {@code *}
   * @param author who ends it, for the history
   * @return whether there was one
   */
  boolean end(String policy, String author);
}
