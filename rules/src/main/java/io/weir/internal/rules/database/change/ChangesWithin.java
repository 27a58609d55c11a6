package io.weir.internal.rules.database.change;

import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.Sql;
import io.weir.rules.history.RuleChange;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/**
 * Bounds the memory that one page of changes takes: counts how many of the next rows have at most
 * {@value #MAX_BYTES} bytes together, before any of them is read.
 */
final class ChangesWithin {
  /** The most bytes of rows, as texts, that are read at once; one larger row is read alone. */
  static final long MAX_BYTES = 4_000_000;

  /**
   * The changes that were read.
   *
   * @param changes at least one if there is any
   * @param isMore whether there may be further ones
   */
  record Page(List<RuleChange> changes, boolean isMore) {}

  private record Fitting(int rows, boolean isCut) {}

  private ChangesWithin() {}

  /**
   * Reads as many changes as fit.
   *
   * @param size makes the expression for the size of a column in bytes
   * @param condition the condition and order of changes, of which so many are read at most
   */
  static Page read(
      Connection connection,
      ChangeDetail detail,
      UnaryOperator<String> size,
      IntFunction<Sql> condition,
      int most)
      throws SQLException {
    String before = size.apply(HistoryTable.column(detail, "before"));
    String after = size.apply(HistoryTable.column(detail, "after"));
    Fitting fitting =
        Sql.of("SELECT " + before + ", " + after + " FROM weir.rule_changes")
            .then(condition.apply(most))
            .query(connection, ChangesWithin::fitting);
    List<RuleChange> changes =
        fitting.rows == 0
            ? List.of()
            : Sql.of(HistoryTable.select(detail))
                .then(condition.apply(fitting.rows))
                .all(connection, HistoryTable::change);
    return new Page(changes, fitting.isCut || fitting.rows == most);
  }

  private static Fitting fitting(ResultSet row) throws SQLException {
    int rows = 0;
    long bytes = 0;
    while (row.next()) {
      bytes += row.getLong(1) + row.getLong(2);
      if (bytes > MAX_BYTES && rows > 0) {
        return new Fitting(rows, true);
      }
      rows++;
    }
    return new Fitting(rows, false);
  }
}
