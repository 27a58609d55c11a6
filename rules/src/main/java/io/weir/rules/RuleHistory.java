package io.weir.rules;

import java.util.List;

/**
 * The changes of rules, tiers, costs and switches, whoever made them.
 *
 * <p>Reads and writes the database in the thread of the caller, and throws {@link
 * RulesUnavailableException} where it can't. Safe for concurrent use.
 */
public interface RuleHistory {
  /**
   * The latest changes.
   *
   * @param most how many, 1 to 1,000
   * @return the newest first
   */
  List<RuleChange> latest(int most);

  /**
   * The changes of one row.
   *
   * @param table the table
   * @param rowKey the row's key
   * @return the newest first
   */
  List<RuleChange> of(String table, String rowKey);

  /**
   * Makes a row again what it was after a change: a change of its own, which the history has too.
   *
   * @param number the change
   * @param author who brings it back
   * @throws IllegalArgumentException if there is no such change
   * @throws InvalidRuleException if the row of then can't be used any more
   */
  void restore(long number, String author);
}
