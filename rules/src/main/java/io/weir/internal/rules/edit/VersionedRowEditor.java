package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.AuthorName;
import io.weir.internal.rules.database.RowFilter;
import io.weir.internal.rules.database.RowWrite;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.problem.ConflictException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Changes rows from the version that their author has seen, and has the node read each change at
 * once.
 *
 * <p>A row that has no version yet, and every row where no trigger raises versions, has as version
 * a number made of its columns instead: so no change by SQL is overwritten there either.
 *
 * <p>Safe for concurrent use.
 */
public final class VersionedRowEditor {

  /** Made versions are far above those that are counted, and exact in JSON and JavaScript. */
  private static final long MADE = 1L << 52;

  private final RuleDatabase database;
  private final Runnable changed;

  /**
   * Opens the rows.
   *
   * @param database the rows
   * @param changed run after each change; throws nothing
   */
  public VersionedRowEditor(RuleDatabase database, Runnable changed) {
    this.database = database;
    this.changed = changed;
  }

  /** Returns all rows of a table, with their versions. */
  public List<StoredRow> all(RuleTable table) {
    boolean counted = database.tellsChanges();
    return database.all(table).stream().map(row -> versioned(row, counted)).toList();
  }

  /** Returns one row, with its version. */
  public Optional<StoredRow> find(RuleTable table, String key) {
    boolean counted = database.tellsChanges();
    return database.find(table, key).map(row -> versioned(row, counted));
  }

  /**
   * Adds a row.
   *
   * @return the row as it is in the table
   * @throws ConflictException if there is a row of that key
   */
  public StoredRow insert(RuleTable table, Map<String, String> columns, String author) {
    StoredRow row = database.insert(table, columns, AuthorName.checked(author));
    changed.run();
    return versioned(row, database.tellsChanges());
  }

  /**
   * Replaces a row.
   *
   * @param version the one that the author has seen
   * @return the row as it is in the table
   * @throws ConflictException if it has another version by now, or is gone
   */
  public StoredRow replace(
      RuleTable table, String key, long version, Map<String, String> columns, String author) {
    StoredRow row = database.update(seen(table, key, version), columns, AuthorName.checked(author));
    changed.run();
    return versioned(row, database.tellsChanges());
  }

  /**
   * Deletes a row.
   *
   * @param version the one that the author has seen
   * @throws ConflictException if it has another version by now, or is gone
   */
  public void delete(RuleTable table, String key, long version, String author) {
    database.delete(seen(table, key, version), AuthorName.checked(author));
    changed.run();
  }

  /** Returns some rows, with their versions. */
  public List<StoredRow> some(RuleTable table, RowFilter filter) {
    boolean counted = database.tellsChanges();
    return database.some(table, filter).stream().map(row -> versioned(row, counted)).toList();
  }

  /**
   * Finds a row for {@link #write}, if it still has the version that the author has seen.
   *
   * @throws ConflictException if it has another version by now, or is gone
   */
  public StoredRow toReplace(RuleTable table, String key, long version) {
    return seen(table, key, version);
  }

  /**
   * Adds and replaces rows together.
   *
   * @param changes with rows as {@link #toReplace} returns them
   * @return the rows as they are in their tables, in the same order
   * @throws ConflictException if one is there already, has changed, or is gone: none was written
   */
  public List<StoredRow> write(List<RowWrite> changes, String author) {
    List<StoredRow> rows = database.write(changes, AuthorName.checked(author));
    changed.run();
    boolean counted = database.tellsChanges();
    return rows.stream().map(row -> versioned(row, counted)).toList();
  }

  private StoredRow seen(RuleTable table, String key, long version) {
    StoredRow row =
        database
            .find(table, key)
            .orElseThrow(() -> new ConflictException(name(table, key) + " is gone"));
    long now = versioned(row, database.tellsChanges()).version();
    if (now == version) {
      return row;
    }
    throw new ConflictException(
        now >= MADE || version >= MADE
            ? name(table, key) + " has changed since it was read"
            : name(table, key) + " has version " + now + " now, not " + version);
  }

  private static String name(RuleTable table, String key) {
    return table.tableName() + " " + table.shown(key);
  }

  private static StoredRow versioned(StoredRow row, boolean counted) {
    if (counted && row.version() > 0) {
      return row;
    }
    long hash = 0;
    for (Map.Entry<String, String> column : new TreeMap<>(row.columns()).entrySet()) {
      hash = hash * 1_000_003 + column.getKey().hashCode();
      hash = hash * 1_000_003 + column.getValue().hashCode();
    }
    Map<String, String> columns = new HashMap<>(row.columns());
    columns.put("version", Long.toString(MADE + (hash & (MADE - 1))));
    return new StoredRow(row.table(), row.key(), columns);
  }
}
