package io.weir.internal.rules.database;

import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Adds numbers to the rows of a table, and inserts missing ones, by one statement, whatever other
 * nodes do besides.
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
    KEY,
    /** Stays. */
    FIRST,
    SUM,
    GREATEST,
    /** Is set where it is NULL. */
    MISSING
  }

  private enum Type {
    TEXT("varchar", "VARCHAR"),
    /** Passed to PostgreSQL as microseconds since the epoch. */
    TIME("bigint", "TIMESTAMP(6) WITH TIME ZONE"),
    NUMBER("bigint", "BIGINT");

    private final String postgres;
    private final String h2;

    Type(String postgres, String h2) {
      this.postgres = postgres;
      this.h2 = h2;
    }

    /** Returns a typed array: PostgreSQL's driver would write one of objects as a text. */
    @Nullable Object[] array(int length) {
      return this == TEXT ? new String[length] : new Long[length];
    }

    /** Returns the expression of PostgreSQL for a passed value. */
    String read(String passed) {
      return this == TIME
          ? "timestamptz 'epoch' + " + passed + " * interval '1 microsecond'"
          : passed;
    }
  }

  private record Part<R>(
      String column, Type type, Use use, Function<R, ? extends @Nullable Object> value) {
    String update(String added) {
      String old = "t." + column;
      String more = added + "." + column;
      String all =
          switch (use) {
            case SUM -> old + " + " + more;
            case GREATEST -> "GREATEST(" + old + ", " + more + ")";
            case MISSING -> "COALESCE(" + old + ", " + more + ")";
            case KEY, FIRST -> throw new IllegalStateException(column);
          };
      return column + " = " + all;
    }

    boolean isUpdated() {
      return use != Use.KEY && use != Use.FIRST;
    }
  }

  public SummingTable(String table) {
    this.table = table;
  }

  private SummingTable<R> with(
      String column, Type type, Use use, Function<R, ? extends @Nullable Object> value) {
    parts.add(new Part<>(column, type, use, value));
    return this;
  }

  public SummingTable<R> key(String column, Function<R, String> value) {
    return with(column, Type.TEXT, Use.KEY, value);
  }

  public SummingTable<R> keyTime(String column, Function<R, Instant> value) {
    return with(column, Type.TIME, Use.KEY, value);
  }

  /** Adds a moment that stays as it was first written. */
  public SummingTable<R> firstTime(String column, Function<R, Instant> value) {
    return with(column, Type.TIME, Use.FIRST, value);
  }

  public SummingTable<R> sum(String column, Function<R, Long> value) {
    return with(column, Type.NUMBER, Use.SUM, value);
  }

  public SummingTable<R> greatest(String column, Function<R, Long> value) {
    return with(column, Type.NUMBER, Use.GREATEST, value);
  }

  /**
   * Adds a number that is written only where the row has none yet.
   *
   * @param value its value; empty leaves the column as it is
   */
  public SummingTable<R> missing(String column, Function<R, OptionalLong> value) {
    return with(column, Type.NUMBER, Use.MISSING, row -> nullable(value.apply(row)));
  }

  private static @Nullable Long nullable(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }

  /** Writes rows, which are in the order in which all nodes change them; no key comes twice. */
  public void write(Connection connection, Dialect dialect, Collection<R> rows)
      throws SQLException {
    switch (dialect) {
      case POSTGRESQL -> writeTogether(connection, rows);
      case H2 -> writeMerged(connection, rows);
    }
  }

  private void writeTogether(Connection connection, Collection<R> rows) throws SQLException {
    List<Object> arrays = new ArrayList<>();
    for (Part<R> each : parts) {
      arrays.add(array(connection, each, rows));
    }
    Sql.of(postgres(), arrays.toArray()).update(connection);
  }

  private static <R> Array array(Connection connection, Part<R> part, Collection<R> rows)
      throws SQLException {
    @Nullable Object[] values = part.type.array(rows.size());
    int at = 0;
    for (R row : rows) {
      values[at++] = passed(part.value.apply(row));
    }
    return connection.createArrayOf(part.type.postgres, values);
  }

  private static @Nullable Object passed(@Nullable Object value) {
    return value instanceof Instant time ? ChronoUnit.MICROS.between(Instant.EPOCH, time) : value;
  }

  /**
   * One statement for all rows: H2 takes a quarter longer for a batch, which begins one for each.
   */
  private void writeMerged(Connection connection, Collection<R> rows) throws SQLException {
    Object[] arrays = parts.stream().map(part -> rows.stream().map(part.value).toArray()).toArray();
    Sql.of(h2(), arrays).update(connection);
  }

  private String postgres() {
    return "INSERT INTO weir."
        + table
        + " AS t ("
        + columns("")
        + ") SELECT "
        + joined(parts, ", ", each -> each.type.read("n." + each.column))
        + " FROM unnest("
        + joined(parts, ", ", each -> "CAST(? AS " + each.type.postgres + "[])")
        + ") n("
        + columns("")
        + ") ON CONFLICT ("
        + joined(keys(), ", ", Part::column)
        + ") DO UPDATE SET "
        + updates("excluded");
  }

  private String h2() {
    return "MERGE INTO weir."
        + table
        + " t USING (SELECT * FROM UNNEST("
        + joined(parts, ", ", each -> "CAST(? AS " + each.type.h2 + " ARRAY)")
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
        parts.stream().filter(Part::isUpdated).toList(), ", ", each -> each.update(added));
  }

  private static <R> String joined(
      List<Part<R>> parts, String between, Function<Part<R>, String> text) {
    return parts.stream().map(text).collect(Collectors.joining(between));
  }
}
