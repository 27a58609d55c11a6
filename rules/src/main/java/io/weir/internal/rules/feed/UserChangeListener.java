package io.weir.internal.rules.feed;

import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.RuleChange;
import java.util.Collection;

/**
 * Is told whose rows have changed in the {@linkplain RuleTable#isOfUsers() tables of users}. Called
 * in the thread that reads the changes; returns at once.
 */
public interface UserChangeListener {
  /**
   * Rows were added, changed or deleted.
   *
   * @param table in which table
   * @param userIds whose; as the rows have them
   */
  void drop(RuleTable table, Collection<String> userIds);

  /**
   * So many rows have changed that they aren't named, or it isn't known which.
   *
   * @param table in which table
   */
  void dropAll(RuleTable table);

  /**
   * Something was written into the feed, by whomever: told in the order of the feed, once.
   *
   * @param change what was written; of a table, or what somebody {@linkplain
   *     io.weir.internal.rules.database.RuleDatabase#announce announced}
   */
  void heard(RuleChange change);
}
