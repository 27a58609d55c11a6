package io.weir.internal.rules.database;

import java.util.List;
import java.util.Optional;

/**
 * Reads the rows of tables that Weir didn't make, and never writes. Each row has the column {@link
 * #ORIGIN}.
 *
 * <p>Safe for concurrent use.
 */
public interface ForeignRows {
  /** The column that names the table and the id of a foreign row: {@code public.user_tiers 17}. */
  String ORIGIN = "origin";

  /**
   * Returns all rows of rules or costs.
   *
   * @param table the table of Weir that has such rows as well
   * @return none if there is no such table, or it can't be read
   */
  List<StoredRow> all(RuleTable table);

  /**
   * Finds a row.
   *
   * @param table the table of Weir that has such rows as well
   * @param key a user, or the number of a rule or cost as {@link ForeignKeys#of} makes it
   * @return empty if there is none, or the table can't be read
   */
  Optional<StoredRow> find(RuleTable table, String key);
}
