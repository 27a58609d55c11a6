package io.weir.rules.history;

import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
   * Some of the changes.
   *
   * @param table only those of this table; nothing: all
   * @param from only those made then or later
   * @param until only those made before
   * @param before only those with a lower number; {@link Long#MAX_VALUE} begins with the newest
   * @param most how many, 1 to 1,000
   * @return the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<RuleChange> list(
      Optional<String> table,
      Optional<Instant> from,
      Optional<Instant> until,
      long before,
      int most);

  /**
   * One change.
   *
   * @param number its number
   * @return nothing if there is none
   */
  Optional<RuleChange> find(long number);

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
