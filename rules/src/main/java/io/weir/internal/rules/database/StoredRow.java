package io.weir.internal.rules.database;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A row as texts, whatever types the database has for its columns: instants as ISO 8601 in UTC,
 * numbers in decimal, flags as {@code true} and {@code false}, JSON as it is. So rows that can't be
 * used can still be read, reported and restored.
 *
 * @param key the text of its key column
 * @param columns by name in lower case; what is NULL isn't there
 */
public record StoredRow(RuleTable table, String key, Map<String, String> columns) {
  /** The columns that triggers fill, and that authors of changes never name. */
  public static final Set<String> STAMPS =
      Set.of("version", "created_at", "updated_at", "updated_by");

  public StoredRow {
    columns = columns instanceof RowTexts ? columns : Map.copyOf(columns);
  }

  /**
   * Returns an equal row that shares texts with an older version of it. What is replaced often is
   * then new only where it has changed, which spares the collector copying it.
   */
  public StoredRow sharing(StoredRow older) {
    return columns instanceof RowTexts texts && older.columns instanceof RowTexts olderTexts
        ? new StoredRow(table, key.equals(older.key) ? older.key : key, texts.sharing(olderTexts))
        : this;
  }

  /** Returns a column by its lower-case name; empty if it is NULL or missing. */
  public Optional<String> column(String name) {
    return Optional.ofNullable(columns.get(name));
  }

  /** Returns 0 where the table has no versions, or the row none yet. */
  public long version() {
    try {
      return column("version").map(Long::parseLong).orElse(0L);
    } catch (NumberFormatException other) {
      return 0;
    }
  }

  /**
   * Returns a row of the history.
   *
   * @param json what {@code before} or {@code after} of a change has
   * @throws IllegalArgumentException if it isn't the JSON of a row
   */
  public static StoredRow ofJson(RuleTable table, String key, String json) {
    return new StoredRow(table, key, RowJson.read(json));
  }
}
