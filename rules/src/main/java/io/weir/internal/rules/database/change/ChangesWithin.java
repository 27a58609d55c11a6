package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;

/**
 * Bounds the memory that one page of changes takes: counts how many of the next rows have at most
 * {@value #MAX_BYTES} bytes together, before any of them is read.
 */
final class ChangesWithin {
  /** The most bytes of rows, as texts, that are read at once; one larger row is read alone. */
  static final long MAX_BYTES = 4_000_000;

  /**
   * The rows to read next.
   *
   * @param rows at least 1 if there is any
   * @param isMore whether there may be further ones
   */
  record Page(int rows, boolean isMore) {}

  private ChangesWithin() {}

  /**
   * Returns the query for what {@link #page} takes.
   *
   * @param size makes the expression for the size of a column in bytes
   */
  static String select(ChangeDetail detail, UnaryOperator<String> size) {
    return "SELECT "
        + size.apply(HistoryTable.column(detail, "before"))
        + ", "
        + size.apply(HistoryTable.column(detail, "after"))
        + " FROM weir.rule_changes";
  }

  /**
   * Counts the rows that fit.
   *
   * @param most the most rows that the query returns
   */
  static Page page(Connection connection, Sql sizes, int most) throws SQLException {
    return sizes.query(
        connection,
        row -> {
          int rows = 0;
          long bytes = 0;
          while (row.next()) {
            bytes += row.getLong(1) + row.getLong(2);
            if (bytes > MAX_BYTES && rows > 0) {
              return new Page(rows, true);
            }
            rows++;
          }
          return new Page(rows, rows == most);
        });
  }
}
