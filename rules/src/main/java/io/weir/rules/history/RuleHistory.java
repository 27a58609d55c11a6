package io.weir.rules.history;

import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads the history of rules, tiers, costs, switches and the access list, and restores rows from
 * it.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface RuleHistory {
  /**
   * Returns the latest changes.
   *
   * @param most the most rows to return, 1 to 1,000
   * @return the newest first
   */
  List<RuleChange> latest(int most);

  /**
   * Returns some of the changes.
   *
   * @param table only those of this table; empty for all
   * @param rowKey only those of the row with this key, together with {@code table}; empty for all
   * @param from only those made then or later
   * @param until only those made before
   * @param before only those with a lower number; {@link Long#MAX_VALUE} begins with the newest
   * @param most the most rows to return, 1 to 1,000
   * @return the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<RuleChange> list(
      Optional<String> table,
      Optional<String> rowKey,
      Optional<Instant> from,
      Optional<Instant> until,
      long before,
      int most);

  /**
   * Finds a change.
   *
   * @param number its number
   * @return empty if there is none
   */
  Optional<RuleChange> find(long number);

  /**
   * Returns the changes of one row.
   *
   * @param table the table
   * @param rowKey the row's key
   * @return the newest first
   */
  List<RuleChange> of(String table, String rowKey);

  /**
   * Restores a row to what it was after a change. This is a change of its own in the history.
   *
   * @param number the change
   * @param author the author who restores it
   * @throws IllegalArgumentException if there is no such change
   * @throws InvalidRuleException if that row can't be used any more
   */
  void restore(long number, String author);
}
