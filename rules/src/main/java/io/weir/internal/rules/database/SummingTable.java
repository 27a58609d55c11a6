package io.weir.internal.rules.database;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Adds numbers to the rows of a table, and inserts missing ones: in PostgreSQL by one statement, in
 * H2 by one batch, whatever other nodes do besides.
 *
 * <p>Immutable, once its columns are named.
 *
 * @param <R> what is added
 */
public final class SummingTable<R> {
  private final String table;
  private final List<Part<R>> parts = new ArrayList<>();

  /** The update of a column whose row exists. */
  private enum Use {
    /** Part of the row's key. */
    KEY,
    /** Stays. */
    FIRST,
    /** Is added to. */
    SUM,
    /** Keeps the greater number. */
    GREATEST
  }

  private record Part<R>(
      String column, String postgresType, String h2Type, Use use, Function<R, Object> value) {
    String update(String added) {
      String more = added + "." + column;
      String all =
          use == Use.SUM
              ? "t." + column + " + " + more
              : "GREATEST(t." + column + ", " + more + ")";
      return column + " = " + all;
    }
  }

  /**
   * Names no column yet.
   *
   * @param table the table
   */
  public SummingTable(String table) {
    this.table = table;
  }

  private SummingTable<R> with(
      String column, String postgresType, String h2Type, Use use, Function<R, Object> value) {
    parts.add(new Part<>(column, postgresType, h2Type, use, value));
    return this;
  }

  /**
   * Adds a text to the key.
   *
   * @param column its column
   * @param value its value
   * @return this
   */
  public SummingTable<R> key(String column, Function<R, String> value) {
    return with(column, "varchar", "VARCHAR", Use.KEY, value::apply);
  }

  /**
   * Adds a moment to the key.
   *
   * @param column its column
   * @param value its value
   * @return this
   */
  public SummingTable<R> keyTime(String column, Function<R, OffsetDateTime> value) {
    return with(column, "timestamptz", "TIMESTAMP(6) WITH TIME ZONE", Use.KEY, value::apply);
  }

  /**
   * Adds a moment that stays as it was first written.
   *
   * @param column its column
   * @param value its value
   * @return this
   */
  public SummingTable<R> firstTime(String column, Function<R, OffsetDateTime> value) {
    return with(column, "timestamptz", "TIMESTAMP(6) WITH TIME ZONE", Use.FIRST, value::apply);
  }

  /**
   * Adds a number to add.
   *
   * @param column its column
   * @param value its value
   * @return this
   */
  public SummingTable<R> sum(String column, Function<R, Long> value) {
    return with(column, "bigint", "BIGINT", Use.SUM, value::apply);
  }

  /**
   * Adds a number of which the greater one is kept.
   *
   * @param column its column
   * @param value its value
   * @return this
   */
  public SummingTable<R> greatest(String column, Function<R, Long> value) {
    return with(column, "bigint", "BIGINT", Use.GREATEST, value::apply);
  }

  /**
   * Writes.
   *
   * @param connection in a transaction
   * @param dialect the dialect of the database
   * @param rows in the order in which all nodes change them; no key twice
   * @throws SQLException if it fails
   */
  public void write(Connection connection, Dialect dialect, Collection<R> rows)
      throws SQLException {
    switch (dialect) {
      case POSTGRESQL -> writeTogether(connection, rows);
      case H2 -> writeBatch(connection, rows);
    }
  }

  private void writeTogether(Connection connection, Collection<R> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(postgres())) {
      int at = 1;
      for (Part<R> each : parts) {
        statement.setArray(at++, array(connection, each, rows));
      }
      statement.executeUpdate();
    }
  }

  private static <R> Array array(Connection connection, Part<R> part, Collection<R> rows)
      throws SQLException {
    return connection.createArrayOf(part.postgresType, rows.stream().map(part.value).toArray());
  }

  private void writeBatch(Connection connection, Collection<R> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(h2())) {
      for (R row : rows) {
        int at = 1;
        for (Part<R> each : parts) {
          statement.setObject(at++, each.value.apply(row));
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private String postgres() {
    return "INSERT INTO "
        + table
        + " AS t ("
        + columns("")
        + ") SELECT * FROM unnest("
        + joined(parts, ", ", each -> "CAST(? AS " + each.postgresType + "[])")
        + ") ON CONFLICT ("
        + joined(keys(), ", ", Part::column)
        + ") DO UPDATE SET "
        + updates("excluded");
  }

  private String h2() {
    return "MERGE INTO "
        + table
        + " t USING (VALUES ("
        + joined(parts, ", ", each -> "CAST(? AS " + each.h2Type + ")")
        + ")) n("
        + columns("")
        + ") ON ("
        + joined(keys(), " AND ", each -> "t." + each.column + " = n." + each.column)
        + ") WHEN MATCHED THEN UPDATE SET "
        + updates("n")
        + " WHEN NOT MATCHED THEN INSERT ("
        + columns("")
        + ") VALUES ("
        + columns("n.")
        + ")";
  }

  private List<Part<R>> keys() {
    return parts.stream().filter(each -> each.use == Use.KEY).toList();
  }

  private String columns(String prefix) {
    return joined(parts, ", ", each -> prefix + each.column);
  }

  private String updates(String added) {
    return joined(
        parts.stream().filter(each -> each.use == Use.SUM || each.use == Use.GREATEST).toList(),
        ", ",
        each -> each.update(added));
  }

  private static <R> String joined(
      List<Part<R>> parts, String between, Function<Part<R>, String> text) {
    return parts.stream().map(text).collect(Collectors.joining(between));
  }
}
