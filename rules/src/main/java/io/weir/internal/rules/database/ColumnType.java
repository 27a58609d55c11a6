package io.weir.internal.rules.database;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The types of columns, and the conversion of their values to texts and back. */
public enum ColumnType {
  NUMBER,
  FLAG,
  INSTANT,
  TEXT;

  /** No exponent, which could mean any number of digits. */
  private static final Pattern PLAIN = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?");

  /** Returns the type of a column as a script declares it. */
  static ColumnType of(String declared) {
    return switch (declared.split("[ (]", 2)[0]) {
      case "BIGINT", "INTEGER", "DOUBLE" -> NUMBER;
      case "BOOLEAN" -> FLAG;
      case "TIMESTAMP" -> INSTANT;
      case "VARCHAR" -> TEXT;
      default -> throw new IllegalStateException("no column of Weir has the type " + declared);
    };
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
      case INSTANT -> Sql.timeIfAny(row, column).map(Instant::toString).orElse(null);
      case TEXT -> row.getString(column);
    };
  }

  /**
   * Returns the value of a text. Whole numbers are such: PostgreSQL finds no index for a decimal
   * number.
   *
   * @throws IllegalArgumentException if it isn't a value of the type
   * @throws java.time.DateTimeException likewise
   */
  public Object value(String text) {
    return switch (this) {
      case NUMBER -> number(new BigDecimal(text.strip()));
      case FLAG -> flag(text);
      case INSTANT -> Instant.parse(text);
      case TEXT -> text;
    };
  }

  private static Object number(BigDecimal number) {
    boolean isWhole = number.stripTrailingZeros().scale() <= 0;
    return isWhole && number.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
        ? (Object) number.longValueExact()
        : number;
  }

  /**
   * Returns whether a column of this type can have exactly this text. No row has another text, so
   * that {@code 07} never means the row 7.
   */
  public boolean fits(String text) {
    return this != NUMBER
        || PLAIN.matcher(text).matches() && plain(new BigDecimal(text)).equals(text);
  }

  /** Returns the rule that a message states about a text that isn't a value of the type. */
  public String expectation() {
    return switch (this) {
      case NUMBER -> "must be a number";
      case FLAG -> "must be true or false";
      case INSTANT -> "must be an instant, such as 2027-01-31T10:00:00Z";
      case TEXT -> "must be text";
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
