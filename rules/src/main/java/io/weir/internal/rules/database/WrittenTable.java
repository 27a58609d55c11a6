package io.weir.internal.rules.database;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A table that only Weir writes, with the types that the database has: an adopted one may have
 * other types than Weir would have chosen. Values are texts, as in rows that people edit.
 *
 * <p>Immutable.
 */
public final class WrittenTable {
  private final String name;
  private final Map<String, Column> columns;

  private WrittenTable(String name, Map<String, Column> columns) {
    this.name = name;
    this.columns = columns;
  }

  /**
   * Looks at a table.
   *
   * @param connection the database
   * @param name the table's
   * @param columns those that Weir knows
   * @return those of them that it has; empty if there is no such table
   * @throws SQLException if it can't be read
   */
  public static Optional<WrittenTable> find(
      Connection connection, String name, Collection<String> columns) throws SQLException {
    if (Dialect.of(connection).tables(connection, Set.of(name)).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new WrittenTable(name, TableShape.columns(connection, name, Set.copyOf(columns))));
  }

  /**
   * Returns its name.
   *
   * @return in lower case
   */
  public String name() {
    return name;
  }

  /**
   * Returns whether it has a column.
   *
   * @param column in lower case
   * @return false also for columns that weren't asked for
   */
  public boolean has(String column) {
    return columns.containsKey(column);
  }

  /**
   * Returns whether a text fits.
   *
   * @param column a column that it has
   * @param text the text
   * @return false if the column is too short or too small for it, or of a type that can't have it
   */
  public boolean fits(String column, String text) {
    int length = column(column).length();
    return (length <= 0 || text.length() <= length)
        && column(column).kind().fits(text)
        && isSmallEnough(column(column), text);
  }

  private static boolean isSmallEnough(Column column, String text) {
    return column.kind() != ColumnKind.NUMBER
        || new BigDecimal(text).abs().compareTo(BigDecimal.valueOf(column.most())) <= 0;
  }

  /**
   * Returns the greatest number that a column can have.
   *
   * @param column a column that it has
   * @return {@link Long#MAX_VALUE} if that is no whole number of a few bytes
   */
  public long most(String column) {
    return column(column).most();
  }

  /**
   * Binds a value.
   *
   * @param statement where to
   * @param parameter its place, from 1
   * @param column a column that it has
   * @param text the value; a moment as {@code 2027-01-31T10:00:00Z}
   * @throws SQLException if the database refuses it
   */
  public void bind(PreparedStatement statement, int parameter, String column, String text)
      throws SQLException {
    column(column).kind().bind(statement, parameter, text);
  }

  /**
   * Reads a value.
   *
   * @param row the row
   * @param position its place, from 1
   * @param column a column that it has
   * @return the value as a text; empty for NULL
   * @throws SQLException if it can't be read
   */
  public String read(ResultSet row, int position, String column) throws SQLException {
    String text = column(column).kind().read(row, position);
    return text == null ? "" : text;
  }

  private Column column(String column) {
    return Objects.requireNonNull(columns.get(column), column);
  }
}
