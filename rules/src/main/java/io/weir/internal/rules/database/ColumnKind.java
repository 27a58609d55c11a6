package io.weir.internal.rules.database;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The types of columns, and the conversion of their values to texts and back. */
public enum ColumnKind {
  NUMBER,
  FLAG,
  /** A moment with its zone. */
  INSTANT,
  /** A date and time of an adopted table, which is taken as UTC. */
  DATE_TIME,
  UUID,
  TEXT,
  /** A text of fixed length, which the database fills with spaces. */
  PADDED,
  /** JSON, and other types that PostgreSQL converts from a text by itself. */
  OTHER,
  /** JSON of H2, which takes a text as a JSON string unless it is cast. */
  H2_JSON;

  /** No exponent, which could mean any number of digits. */
  private static final Pattern PLAIN = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?");

  static ColumnKind of(ResultSetMetaData columns, int column) throws SQLException {
    String name = columns.getColumnTypeName(column).toLowerCase(Locale.ROOT);
    return switch (name) {
      case "uuid" -> UUID;
      case "timestamptz", "timestamp with time zone" -> INSTANT;
      case "bool", "boolean" -> FLAG;
      case "json" ->
          columns.getColumnType(column) == Types.OTHER && isH2(columns) ? H2_JSON : OTHER;
      default ->
          switch (columns.getColumnType(column)) {
            case Types.TINYINT,
                Types.SMALLINT,
                Types.INTEGER,
                Types.BIGINT,
                Types.REAL,
                Types.FLOAT,
                Types.DOUBLE,
                Types.NUMERIC,
                Types.DECIMAL ->
                NUMBER;
            case Types.TIMESTAMP -> DATE_TIME;
            case Types.TIMESTAMP_WITH_TIMEZONE -> INSTANT;
            case Types.CHAR, Types.NCHAR -> PADDED;
            case Types.OTHER -> OTHER;
            default -> TEXT;
          };
    };
  }

  private static boolean isH2(ResultSetMetaData columns) {
    return columns.getClass().getName().startsWith("org.h2.");
  }

  /**
   * Returns the value of a column as a text, or null. A value that the driver can't read as the
   * column's type, such as the number {@code NaN}, is the text that the database has for it: the
   * row is reported, and the others are read.
   */
  public @Nullable String read(ResultSet row, int column) throws SQLException {
    try {
      return typed(row, column);
    } catch (SQLException | ArithmeticException | DateTimeException unreadable) {
      return row.getString(column);
    }
  }

  private @Nullable String typed(ResultSet row, int column) throws SQLException {
    return switch (this) {
      case NUMBER -> {
        String text = row.getString(column);
        yield text == null || isPlainAndWhole(text) ? text : plain(row.getBigDecimal(column));
      }
      case FLAG -> {
        boolean flag = row.getBoolean(column);
        yield row.wasNull() ? null : String.valueOf(flag);
      }
      case INSTANT -> {
        OffsetDateTime moment = row.getObject(column, OffsetDateTime.class);
        yield moment == null ? null : moment.toInstant().toString();
      }
      case DATE_TIME -> {
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        yield time == null ? null : time.toInstant(ZoneOffset.UTC).toString();
      }
      case PADDED -> {
        String padded = row.getString(column);
        yield padded == null ? null : padded.stripTrailing();
      }
      default -> row.getString(column);
    };
  }

  /**
   * Binds a text.
   *
   * @throws IllegalArgumentException if it isn't a value of the type
   * @throws java.time.DateTimeException likewise
   */
  public void bind(PreparedStatement statement, int parameter, String text) throws SQLException {
    switch (this) {
      case NUMBER -> number(statement, parameter, new BigDecimal(text.strip()));
      case UUID -> statement.setObject(parameter, java.util.UUID.fromString(text.strip()));
      case FLAG -> statement.setBoolean(parameter, flag(text));
      case INSTANT -> statement.setObject(parameter, Instant.parse(text).atOffset(ZoneOffset.UTC));
      case DATE_TIME ->
          statement.setObject(
              parameter, LocalDateTime.ofInstant(Instant.parse(text), ZoneOffset.UTC));
      case OTHER -> statement.setObject(parameter, text, Types.OTHER);
      default -> statement.setString(parameter, text);
    }
  }

  /** Whole numbers as such: PostgreSQL finds no index for a decimal number. */
  private static void number(PreparedStatement statement, int parameter, BigDecimal number)
      throws SQLException {
    boolean isWhole = number.stripTrailingZeros().scale() <= 0;
    if (isWhole && number.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
      statement.setLong(parameter, number.longValueExact());
    } else {
      statement.setBigDecimal(parameter, number);
    }
  }

  /**
   * Returns whether a column of this type can have exactly this text. No row has another text, so
   * that {@code 07} never means the user 7.
   */
  public boolean fits(String text) {
    try {
      return switch (this) {
        case NUMBER -> PLAIN.matcher(text).matches() && plain(new BigDecimal(text)).equals(text);
        case UUID -> java.util.UUID.fromString(text).toString().equals(text);
        default -> true;
      };
    } catch (IllegalArgumentException other) {
      return false;
    }
  }

  /** Returns the placeholder for a value of this type in a statement. */
  public String placeholder() {
    return this == H2_JSON ? "? FORMAT JSON" : "?";
  }

  /** Returns the rule that a message states about a text that isn't a value of the type. */
  public String expectation() {
    return switch (this) {
      case NUMBER -> "must be a number";
      case UUID -> "must be a UUID";
      case FLAG -> "must be true or false";
      case INSTANT, DATE_TIME -> "must be an instant, such as 2027-01-31T10:00:00Z";
      default -> "must be text";
    };
  }

  /**
   * Returns whether a number is written as {@link #plain} would; most are, and needn't be read
   * first.
   */
  private static boolean isPlainAndWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      char digit = text.charAt(i);
      if (digit < '0' || digit > '9') {
        return false;
      }
    }
    return text.length() == 1 || text.length() > 1 && text.charAt(0) != '0';
  }

  /** Returns a number without exponent, and without zeros behind the point. */
  static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private static boolean flag(String text) {
    boolean flag = text.equalsIgnoreCase("true");
    if (!flag && !text.equalsIgnoreCase("false")) {
      throw new IllegalArgumentException(text);
    }
    return flag;
  }
}
