package io.weir.internal.rules.database;

import java.time.Instant;
import java.util.Optional;

/**
 * Selects a page of changes, the newest first. Tables that aren't {@linkplain
 * RuleTable#isInHistory() in the history} are excluded before pages are made.
 *
 * @param before only those of lower numbers
 * @param from only those made then or later
 * @param until only those made before
 * @param most how many at most, 1 and more
 */
public record HistoryFilter(
    long before,
    Optional<Instant> from,
    Optional<Instant> until,
    Optional<String> table,
    Optional<String> rowKey,
    int most) {
  public Sql sql(String select) {
    return Sql.of(
            select
                + " WHERE number < ? AND table_name NOT IN "
                + RuleTable.outsideHistory()
                + " AND table_name <> ''", // whose content was removed
            before)
        .then(from.map(at -> Sql.of(" AND at >= ?", at)))
        .then(until.map(at -> Sql.of(" AND at < ?", at)))
        .then(table.map(name -> Sql.of(" AND table_name = ?", name)))
        .then(rowKey.map(key -> Sql.of(" AND row_key = ?", key)))
        .then(" ORDER BY number DESC LIMIT ?", most);
  }
}
