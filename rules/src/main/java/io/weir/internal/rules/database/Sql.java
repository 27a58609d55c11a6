package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A statement, or a part of one, with the values of its parameters. Parts are put together with
 * their values, so that neither can be out of order.
 *
 * <p>Values are bound by their types; an {@link Instant} as a time in UTC, an {@link Optional} as
 * what it holds, and null as NULL. Immutable.
 *
 * @param text the SQL, with a question mark for each value
 * @param values the values, in order
 * @param fetchedRows the rows of a result that are in memory at once; 0 leaves that to the driver
 */
public record Sql(String text, List<@Nullable Object> values, int fetchedRows) {
  /** Says nothing: the condition of all rows. */
  public static final Sql NOTHING = of("");

  /** Reads the current row of a result, or all of its rows. */
  @FunctionalInterface
  public interface Reader<T> {
    /** Reads from a result that stays open. */
    T read(ResultSet rows) throws SQLException;
  }

  /** Takes the current row of a result. */
  @FunctionalInterface
  public interface RowConsumer {
    /** Reads columns; doesn't move on. */
    void accept(ResultSet row) throws SQLException;
  }

  public static Sql of(String text, @Nullable Object... values) {
    return new Sql(text, Arrays.asList(values), 0);
  }

  /** Returns a list in parentheses, as IN wants it. */
  public static Sql list(Collection<?> values) {
    return of(
        "(" + String.join(", ", Collections.nCopies(values.size(), "?")) + ")", values.toArray());
  }

  public Sql then(String more, @Nullable Object... moreValues) {
    return then(of(more, moreValues));
  }

  public Sql then(Sql more) {
    List<@Nullable Object> all = new ArrayList<>(values);
    all.addAll(more.values);
    return new Sql(text + more.text, all, fetchedRows);
  }

  public Sql then(Optional<Sql> more) {
    return more.map(this::then).orElse(this);
  }

  /** Returns this, of whose result so many rows are in memory at once. */
  public Sql fetching(int rows) {
    return new Sql(text, values, rows);
  }

  private void bind(PreparedStatement statement) throws SQLException {
    int next = 1;
    for (Object each : values) {
      Object value = each instanceof Optional<?> maybe ? maybe.orElse(null) : each;
      statement.setObject(
          next++, value instanceof Instant time ? time.atOffset(ZoneOffset.UTC) : value);
    }
  }

  /** Runs a statement, and ignores its result. */
  public void run(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(statement);
      statement.execute();
    }
  }

  /** Changes rows, and returns how many. */
  public int update(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      bind(statement);
      return statement.executeUpdate();
    }
  }

  /** Inserts a row, and returns its key as a text. */
  public String insert(Connection connection, String keyColumn) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(text, new String[] {keyColumn})) {
      bind(statement);
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        keys.next();
        return keys.getString(1);
      }
    }
  }

  /** Runs statements of the same text in one batch, and returns how many there are. */
  public static int batch(Connection connection, List<Sql> all) throws SQLException {
    if (!all.isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(all.get(0).text)) {
        for (Sql each : all) {
          each.bind(statement);
          statement.addBatch();
        }
        statement.executeBatch();
      }
    }
    return all.size();
  }

  /** Reads all rows together. */
  public <T> T query(Connection connection, Reader<T> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      if (fetchedRows > 0) {
        statement.setFetchSize(fetchedRows);
      }
      bind(statement);
      try (ResultSet result = statement.executeQuery()) {
        return rows.read(result);
      }
    }
  }

  /** Reads each row into a list. */
  public <T> List<T> all(Connection connection, Reader<T> row) throws SQLException {
    List<T> all = new ArrayList<>();
    each(connection, current -> all.add(row.read(current)));
    return all;
  }

  public void each(Connection connection, RowConsumer row) throws SQLException {
    var unused =
        query(
            connection,
            rows -> {
              while (rows.next()) {
                row.accept(rows);
              }
              return true;
            });
  }

  /** Reads the first row; empty if there is none, or the reader returns null. */
  public <T> Optional<T> first(Connection connection, Reader<@Nullable T> row) throws SQLException {
    return query(
        connection, rows -> rows.next() ? Optional.ofNullable(row.read(rows)) : Optional.empty());
  }

  /** Reads the first row of a query that always has one, such as a sum. */
  public <T> T one(Connection connection, Reader<T> row) throws SQLException {
    return query(
        connection,
        rows -> {
          rows.next();
          return row.read(rows);
        });
  }

  public boolean isAny(Connection connection) throws SQLException {
    return query(connection, ResultSet::next);
  }

  /** Reads a time that isn't NULL. */
  public static Instant time(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  /** Reads a time; empty if it is NULL. */
  public static Optional<Instant> timeIfAny(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }
}
