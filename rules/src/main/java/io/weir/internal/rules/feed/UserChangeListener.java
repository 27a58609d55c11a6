package io.weir.internal.rules.feed;

import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.history.RuleChange;
import java.util.Collection;

/**
 * Receives the users whose rows have changed in the {@linkplain RuleTable#isOfUsers() tables of
 * users}. Called in the thread that reads the changes; returns at once.
 */
public interface UserChangeListener {
  /**
   * Rows were added, changed or deleted.
   *
   * @param userIds the users, as the rows have them
   */
  void drop(RuleTable table, Collection<String> userIds);

  /** Too many rows have changed to name them, or it isn't known which. */
  void dropAll(RuleTable table);

  /**
   * Returns whether it wants to hear of changed rules, costs, switches and entries of the access
   * list as well; otherwise their rows needn't be read from the history.
   */
  boolean hearsRules();

  /**
   * Receives each change in the feed once, in the order of the feed; those of rules, costs,
   * switches and entries only if it {@linkplain #hearsRules wants to}.
   *
   * @param change a change of a table, or an {@linkplain
   *     io.weir.internal.rules.database.RuleDatabase#announce announcement}
   */
  void heard(RuleChange change);

  /** Notes that the application has had the time to bind its policies. */
  default void policiesBound() {}

  /** Notes that the rules were read that were written with these changes. */
  void wasRead();

  /**
   * Reads the rows of some of the users again that are known, to compare them; before the changes
   * are read that might explain a difference.
   *
   * @throws io.weir.rules.problem.RulesUnavailableException if the database can't be reached
   */
  default void compareSome() {}

  /**
   * Drops the users whose rows differed at {@link #compareSome}, and weren't dropped since.
   *
   * @return whether there are any: no change has reported them
   */
  default boolean dropMissed() {
    return false;
  }
}
