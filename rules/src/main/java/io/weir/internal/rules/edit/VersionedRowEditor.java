package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.AuthorName;
import io.weir.internal.rules.database.ForeignKeys;
import io.weir.internal.rules.database.ForeignRows;
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
  private final ForeignRows foreign;
  private final Runnable changed;

  /**
   * Opens the rows.
   *
   * @param foreign the rows of tables that Weir didn't make: changes of these are refused
   * @param changed run after each change; throws nothing
   */
  public VersionedRowEditor(RuleDatabase database, ForeignRows foreign, Runnable changed) {
    this.database = database;
    this.foreign = foreign;
    this.changed = changed;
  }

  public List<StoredRow> all(RuleTable table) {
    boolean counted = database.tellsChanges();
    return database.all(table).stream().map(row -> versioned(row, counted)).toList();
  }

  public ForeignRows foreign() {
    return foreign;
  }

  public Optional<StoredRow> find(RuleTable table, String key) {
    boolean counted = database.tellsChanges();
    return database.find(table, key).map(row -> versioned(row, counted));
  }

  /**
   * Adds a row.
   *
   * @throws ConflictException if there is a row of that key
   */
  public StoredRow insert(RuleTable table, Map<String, String> columns, String author) {
    String key = columns.getOrDefault(table.keyColumn(), "");
    if (isForeignNumber(table, key)) {
      throw isForeign(table, key);
    }
    StoredRow row = database.insert(table, columns, AuthorName.checked(author));
    changed.run();
    return versioned(row, database.tellsChanges());
  }

  /**
   * Replaces a row.
   *
   * @param version the one that the author has seen
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

  public List<StoredRow> some(RuleTable table, RowFilter filter) {
    boolean counted = database.tellsChanges();
    return database.some(table, filter).stream().map(row -> versioned(row, counted)).toList();
  }

  /** Returns the rows of users, at most {@value RuleDatabase#MAX_USERS}, with their versions. */
  List<StoredRow> ofUsers(RuleTable table, List<String> userIds) {
    boolean counted = database.tellsChanges();
    return database.ofUsers(table, userIds).stream().map(row -> versioned(row, counted)).toList();
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
   * Adds, replaces and deletes rows together.
   *
   * @param changes with rows as {@link #toReplace} returns them
   * @return the rows as they are in their tables, in the same order, without those deleted
   * @throws ConflictException if one is there already, has changed, or is gone: none was written
   */
  public List<StoredRow> write(List<RowWrite> changes, String author) {
    List<StoredRow> rows = database.write(changes, AuthorName.checked(author));
    changed.run();
    boolean counted = database.tellsChanges();
    return rows.stream().map(row -> versioned(row, counted)).toList();
  }

  private StoredRow seen(RuleTable table, String key, long version) {
    if (isForeignNumber(table, key)) {
      throw isForeign(table, key);
    }
    StoredRow row = database.find(table, key).orElseThrow(() -> gone(table, key));
    long now = versioned(row, database.tellsChanges()).version();
    if (now == version) {
      return row;
    }
    throw new ConflictException(
        now >= MADE || version >= MADE
            ? name(table, key) + " has changed since it was read"
            : name(table, key) + " has version " + now + " now, not " + version);
  }

  private ConflictException gone(RuleTable table, String key) {
    return table == RuleTable.USERS && foreign.find(table, key).isPresent()
        ? isForeign(table, key)
        : new ConflictException(name(table, key) + " no longer exists");
  }

  private static boolean isForeignNumber(RuleTable table, String key) {
    return (table == RuleTable.RULES || table == RuleTable.COSTS) && ForeignKeys.isForeign(key);
  }

  private ConflictException isForeign(RuleTable table, String key) {
    Optional<String> origin =
        foreign.find(table, key).flatMap(row -> row.column(ForeignRows.ORIGIN));
    return foreignRow(
        table, table == RuleTable.USERS ? table.shown(key) : key, origin.orElse("another table"));
  }

  /**
   * Makes the exception for a change of a row that Weir only reads.
   *
   * @param origin the table that has it, perhaps with the row's id
   */
  public static ConflictException foreignRow(RuleTable table, String row, String origin) {
    return new ConflictException(
        table.tableName()
            + " "
            + row
            + " is read from "
            + origin
            + ", which Weir never writes: change it there, by SQL, or add a row here, which then"
            + " overrides it");
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
