package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.Column;
import io.weir.internal.rules.database.ColumnType;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.TableColumns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Detects that a table has changed where no trigger reports it, by the number of rows, the newest
 * time of a change, and what the database itself counts of changes, which an update without a time
 * raises too. A table without such a time is small, so the database adds up its contents. Of a
 * table with more than {@value #MAX_ROWS} users only what the database counts is, which takes no
 * longer for millions; PostgreSQL publishes it within about ten seconds.
 *
 * <p>Of tokens and sessions the database itself adds up the contents: a transaction that commits
 * late is noticed whatever others have written meanwhile, and what the last use of a token changes
 * isn't.
 */
public final class TableFingerprint {
  /** Of tables of users with more rows, none is read. */
  static final int MAX_ROWS = 10_000;

  private static final String CHANGED = "updated_at";

  /** Columns that don't matter for access. */
  private static final Set<String> IRRELEVANT =
      Set.of("last_used", "created_at", CHANGED, "version");

  private TableFingerprint() {}

  public static String of(Connection connection, Dialect dialect, TableColumns shape)
      throws SQLException {
    if (!shape.table().isInHistory()) {
      return contents(connection, dialect, shape);
    }
    String rows =
        shape.has(CHANGED) ? newest(connection, shape) : contents(connection, dialect, shape);
    return rows + " " + counted(connection, dialect, shape);
  }

  /** PostgreSQL counts rows that are written, and H2 each change of a table. */
  private static String counted(Connection connection, Dialect dialect, TableColumns shape)
      throws SQLException {
    String sql =
        dialect == Dialect.H2
            ? "SELECT CAST(last_modification AS VARCHAR(40)) FROM information_schema.tables"
                + " WHERE LOWER(table_name) = ? AND LOWER(table_schema) = 'weir'"
            : "SELECT CAST(n_tup_ins AS text) || '/' || CAST(n_tup_upd AS text) || '/' ||"
                + " CAST(n_tup_del AS text) FROM pg_catalog.pg_stat_all_tables"
                + " WHERE schemaname = 'weir' AND relname = CAST(? AS name)";
    return Sql.of(sql, shape.table().tableName())
        .first(connection, row -> String.valueOf(row.getString(1)))
        .orElse("");
  }

  private static String newest(Connection connection, TableColumns shape) throws SQLException {
    String table = shape.table().sqlName();
    boolean isBounded = shape.table().isOfUsers();
    String sql =
        "SELECT COUNT(*), MAX("
            + CHANGED
            + ") FROM "
            + (isBounded
                ? "(SELECT "
                    + CHANGED
                    + " FROM "
                    + table
                    + " LIMIT "
                    + (MAX_ROWS + 1)
                    + ") first_rows"
                : table + " WHERE " + shape.ofPeople());
    return Sql.of(sql)
        .one(
            connection,
            row ->
                isBounded && row.getLong(1) > MAX_ROWS
                    ? "more"
                    : row.getLong(1) + " " + shape.column(CHANGED).type().read(row, 2));
  }

  /** Returns the number of rows and a sum of their contents, apart from times and versions. */
  public static String contents(Connection connection, Dialect dialect, TableColumns shape)
      throws SQLException {
    String row =
        shape.columns().values().stream()
            .filter(column -> !IRRELEVANT.contains(column.name()))
            .map(TableFingerprint::text)
            .collect(Collectors.joining(" || '|' || "));
    String hash =
        dialect == Dialect.H2 ? "ORA_HASH(" + row + ")" : "hashtextextended(" + row + ", 0)";
    String sql =
        "SELECT COUNT(*), SUM("
            + hash
            + ") FROM "
            + shape.table().sqlName()
            + " WHERE "
            + shape.ofPeople();
    return Sql.of(sql).one(connection, sums -> sums.getLong(1) + " " + sums.getString(2));
  }

  /** A time as a number: its text depends on the zone of the connection. */
  private static String text(Column column) {
    String value =
        column.type() == ColumnType.INSTANT
            ? "EXTRACT(EPOCH FROM " + column.name() + ")"
            : column.name();
    return "COALESCE(CAST(" + value + " AS VARCHAR), '')";
  }
}
