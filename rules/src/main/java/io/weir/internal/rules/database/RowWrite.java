package io.weir.internal.rules.database;

import java.util.Map;
import java.util.Optional;

/**
 * One of several rows to be added or replaced together.
 *
 * @param table its table
 * @param seen the row that the author has seen; nothing: a new row
 * @param columns what it is to have; see {@link RuleDatabase#insert} and {@link
 *     RuleDatabase#update}
 */
public record RowWrite(RuleTable table, Optional<StoredRow> seen, Map<String, String> columns) {
  /** Takes the columns as they are. */
  public RowWrite {
    columns = Map.copyOf(columns);
  }

  /** Returns the row's name in messages: its key, as far as it is known. */
  public String key() {
    return seen.map(StoredRow::key)
        .orElseGet(() -> columns.getOrDefault(table.keyColumn(), "a new row"));
  }
}
