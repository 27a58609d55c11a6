package io.weir.internal.rules.database;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Selects a page of changes, the newest first. Tables that aren't {@linkplain
 * RuleTable#isInHistory() in the history} are excluded before pages are made.
 *
 * @param before only those of lower numbers
 * @param from only those made then or later
 * @param until only those made before
 * @param table only those of one table
 * @param rowKey only those of rows with this key
 * @param most how many at most, 1 and more
 */
public record HistoryFilter(
    long before,
    Optional<Instant> from,
    Optional<Instant> until,
    Optional<String> table,
    Optional<String> rowKey,
    int most) {
  public String sql(String select) {
    return select
        + " WHERE number < ? AND table_name NOT IN "
        + RuleTable.outsideHistory()
        + " AND table_name <> ''" // whose content was removed
        + (from.isPresent() ? " AND at >= ?" : "")
        + (until.isPresent() ? " AND at < ?" : "")
        + (table.isPresent() ? " AND table_name = ?" : "")
        + (rowKey.isPresent() ? " AND row_key = ?" : "")
        + " ORDER BY number DESC LIMIT ?";
  }

  public void bind(PreparedStatement statement) throws SQLException {
    int next = 1;
    statement.setLong(next++, before);
    if (from.isPresent()) {
      statement.setObject(next++, from.get().atOffset(ZoneOffset.UTC));
    }
    if (until.isPresent()) {
      statement.setObject(next++, until.get().atOffset(ZoneOffset.UTC));
    }
    if (table.isPresent()) {
      statement.setString(next++, table.get());
    }
    if (rowKey.isPresent()) {
      statement.setString(next++, rowKey.get());
    }
    statement.setInt(next, most);
  }
}
