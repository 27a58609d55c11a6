package io.weir.internal.rules.database;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One of several rows to be added, replaced or deleted together.
 *
 * @param seen the row that the author has seen; nothing: a new row
 * @param columns what it is to have, see {@link RuleDatabase#insert} and {@link
 *     RuleDatabase#update}; nothing: the row is deleted
 */
public record RowWrite(
    RuleTable table, Optional<StoredRow> seen, Optional<Map<String, String>> columns) {
  public RowWrite {
    columns = columns.map(each -> Collections.unmodifiableMap(new LinkedHashMap<>(each)));
  }

  /** Adds or replaces a row. */
  public RowWrite(RuleTable table, Optional<StoredRow> seen, Map<String, String> columns) {
    this(table, seen, Optional.of(columns));
  }

  public static RowWrite delete(StoredRow seen) {
    return new RowWrite(seen.table(), Optional.of(seen), Optional.empty());
  }

  /** Returns the row's name in messages: its key, as far as it is known. */
  public String key() {
    return seen.map(StoredRow::key)
        .or(() -> columns.map(each -> each.get(table.keyColumn())))
        .orElse("a new row");
  }
}
